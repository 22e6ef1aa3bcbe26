import type { Knex } from 'knex'
import { USER_KIND } from '../actor.ts'
import { digestsOf } from '../channels/keys/key-ring.ts'
import { GatewayError } from '../errors.ts'
import { oneOf, QUOTA_MAX, requireText, requireWholeNumber } from '../input.ts'
import { asParams, inBoth } from '../messages/texts.ts'
import type { Secrets } from '../secrets.ts'
import { countedAddress } from './address.ts'
import { isTimeZone } from './calendar.ts'
import {
  type CountedLimit,
  EACH,
  LIMIT_ACTIONS,
  LIMIT_MEASURES,
  LIMIT_PERIODS,
  LIMIT_SUBJECTS,
  type LimitPeriod,
  type LimitSubject,
} from './limit.ts'
import type { NewLimit } from './schema.ts'

const ID_LENGTH_MAX = 255
/** Pattern of the id of a channel's key: `channel/position`. The first key has the position 1. */
export const KEY_POSITION = /^[1-9]\d{0,8}\/[1-9]\d{0,4}$/
const WAIT_MAX_S = 300
/** Patterns of ids by subject. They reject leading zeros, because requests are counted by the canonical number. */
const ID_PATTERNS = {
  token: /^[1-9]\d{0,8}$/,
  user: /^[1-9]\d{0,8}$/,
  channel: /^[1-9]\d{0,8}$/,
  member: /^[1-9]\d{0,8}\/[1-9]\d{0,8}$/,
  'channel-key': /^[1-9]\d{0,8}\/([1-9]\d{0,4}|[0-9a-f]{12})$/,
}

/** Returns the columns of a limit. Throws FIELD_*, LIMIT_PERIOD, LIMIT_TIME_ZONE, LIMIT_MEASURE or LIMIT_SUBJECT. */
export function checkLimit(input: NewLimit): Omit<CountedLimit, 'id'> {
  const subject = oneOf('subject', input.subject, LIMIT_SUBJECTS)
  const measure = oneOf('measure', input.measure, LIMIT_MEASURES)
  const period = oneOf('period', input.period, LIMIT_PERIODS)
  if ((measure === 'concurrent') !== (period === 'none')) throw new GatewayError('LIMIT_PERIOD', { measure, period })
  // Channels have no limits of quota, because quota is the price for users, not the price of the upstream.
  if (measure === 'quota' && subject.startsWith('channel'))
    throw new GatewayError('LIMIT_MEASURE', { measure, subject })
  const time_zone = input.time_zone ?? ''
  if (time_zone !== '' && period === 'none') throw new GatewayError('LIMIT_PERIOD', { measure, period: time_zone })
  if (time_zone !== '' && !isTimeZone(time_zone)) throw new GatewayError('LIMIT_TIME_ZONE', { value: time_zone })
  const action = oneOf('action', input.action ?? 'reject', LIMIT_ACTIONS)
  return {
    subject,
    subject_id: validId(subject, requireText('subject_id', input.subject_id, { min: 1, max: ID_LENGTH_MAX })),
    measure,
    period,
    time_zone,
    amount: requireWholeNumber('amount', input.amount, { min: 1, max: QUOTA_MAX }),
    action,
    wait_seconds: waitOf(action, input.wait_seconds),
  }
}

function waitOf(action: CountedLimit['action'], seconds: number | undefined): number {
  if (action === 'queue') return requireWholeNumber('wait_seconds', seconds, { min: 1, max: WAIT_MAX_S })
  if (seconds) throw new GatewayError('FIELD_RANGE', { field: 'wait_seconds', min: 0, max: 0, value: seconds, action })
  return 0
}

function validId(subject: CountedLimit['subject'], id: string): string {
  if (id === EACH || subject === 'group' || subject === 'model') return id
  if (subject === 'address') {
    const address = countedAddress(id)
    if (address === undefined) throw new GatewayError('LIMIT_SUBJECT', { subject, value: id })
    return address
  }
  if (!ID_PATTERNS[subject].test(id)) throw new GatewayError('LIMIT_SUBJECT', { subject, value: id })
  return id
}

/**
 * Throws LIMIT_CONTRADICTS if a shorter window allows more than a longer one, because the shorter limit could never be
 * reached. All `limits` must have the same subject.
 */
export function checkCombination(limits: readonly Pick<CountedLimit, 'measure' | 'period' | 'amount'>[]): void {
  for (const shorter of limits) {
    for (const longer of limits) {
      if (shorter.measure !== longer.measure || rank(shorter.period) >= rank(longer.period)) continue
      if (shorter.amount <= longer.amount) continue
      throw new GatewayError('LIMIT_CONTRADICTS', {
        ...asParams('measure', inBoth(`limit.${shorter.measure}`)),
        amount: shorter.amount,
        ...periodParams('period', shorter.period),
        longer_amount: longer.amount,
        ...periodParams('longer_period', longer.period),
      })
    }
  }
}

/** Returns no parameters for `none`. Limits without a window never contradict others. */
const periodParams = (name: string, period: LimitPeriod) =>
  period === 'none' ? {} : asParams(name, inBoth(`limit.${period}`))

const rank = (period: LimitPeriod): number => LIMIT_PERIODS.indexOf(period)

const TABLES: Partial<Record<LimitSubject, 'tokens' | 'users' | 'channels'>> = {
  token: 'tokens',
  user: 'users',
  channel: 'channels',
  'channel-key': 'channels',
}

/**
 * Returns the id by which a subject is counted. For a channel's key, replaces the position by the digest of the key.
 * Throws TOKEN_NOT_FOUND, USER_NOT_FOUND, TEAM_MEMBER_NOT_FOUND, CHANNEL_NOT_FOUND or CHANNEL_KEY_UNKNOWN if the
 * subject does not exist.
 */
export async function findSubjectId(
  trx: Knex,
  { subject, subject_id }: Pick<CountedLimit, 'subject' | 'subject_id'>,
  secrets: Secrets,
): Promise<string> {
  if (subject_id !== EACH && subject === 'member') await requireMember(trx, subject_id)
  const table = TABLES[subject]
  if (subject_id === EACH || !table) return subject_id
  const [first, key] = subject_id.split('/')
  const id = Number(first)
  const row = await trx(table)
    .where({ id })
    .modify((rows) => void (table !== 'channels' && rows.whereNull('deleted_at')))
    .modify((rows) => void (table === 'users' && rows.where({ kind: USER_KIND.person })))
    .first(table === 'channels' ? ['id', 'setting', 'key'] : ['id'])
  if (!row) {
    const code = { tokens: 'TOKEN_NOT_FOUND', users: 'USER_NOT_FOUND', channels: 'CHANNEL_NOT_FOUND' } as const
    throw new GatewayError(code[table], { id })
  }
  if (key === undefined) return subject_id
  const digests = digestsOf(row, secrets)
  const digest = KEY_POSITION.test(subject_id) ? digests[Number(key) - 1] : digests.find((each) => each === key)
  if (digest === undefined) throw new GatewayError('CHANNEL_KEY_UNKNOWN', { id, key })
  return `${id}/${digest}`
}

async function requireMember(trx: Knex, subjectId: string): Promise<void> {
  const [team_id = 0, user_id = 0] = subjectId.split('/').map(Number)
  if (await trx('team_members').where({ team_id, user_id }).first('role')) return
  throw new GatewayError('TEAM_MEMBER_NOT_FOUND', { id: user_id })
}
