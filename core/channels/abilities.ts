import type { Knex } from 'knex'
import type { Audit, AuditedChange } from '../audit/audit.ts'
import { recordChange } from '../changes/changes.ts'
import type { Follower } from '../changes/follower.ts'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import { commaList } from '../input.ts'
import { CHANNEL_STATUS } from './channel.ts'

const ROWS_PER_INSERT = 200
const CHANNELS_AT_ONCE = 500
/** Absurdly many for one channel. */
export const PER_CHANNEL_MAX = 20_000
/** One edit makes no more than this: it holds the database for as long as it takes. */
export const ABILITIES_MAX = 200_000

/** What an ability is made of. */
export const ROUTED_COLUMNS = ['id', 'group', 'models', 'status', 'priority', 'weight', 'tag'] as const
export interface RoutedChannel {
  id: number
  group: string
  models: string
  status: number
  priority: number
  weight: number
  tag: string | null
}
export interface Ability {
  group: string
  model: string
  channel_id: number
  enabled: boolean
  priority: number
  weight: number
  tag: string | null
}

/** Makes the abilities of channels agree with them. The channels' rows are locked. */
type Refresh = (trx: Knex.Transaction, channelIds: readonly number[]) => Promise<void>

/** Who edits, and which channels; `automatic`: the gateway, which keeps a history of its own. */
export type ChannelEdit = Omit<AuditedChange, 'kind'> | 'automatic'

/** Writes channels: `work` answers the ids of those it has touched, `refresh` does their abilities. */
export type EditChannels = (
  edit: ChannelEdit,
  work: (trx: Knex.Transaction) => Promise<number[]>,
  refresh?: Refresh,
) => Promise<number[]>

/**
 * The one way in which channels are written. In one transaction with the work, the abilities of what was touched are
 * rebuilt, the audit is written and all processes are notified, so that none of it can be forgotten. Throws FIELD_TOO_MANY, and has done nothing, when
 * they are more than ABILITIES_MAX.
 */
export function createEdit({ db, follower, audit }: { db: Database; follower: Follower; audit: Audit }): EditChannels {
  return async (change, work, refresh = rebuildAbilities) => {
    const touched = await db.transaction(async (trx) => {
      const edited = async () => {
        const ids = await work(trx)
        await refresh(trx, ids)
        await recordChange(trx, 'channel', ids)
        return ids
      }
      if (change === 'automatic') return edited()
      return audit.around(trx, { ...change, kind: 'channel' }, edited, (ids) => ids)
    })
    if (touched.length) await follower.catchUp()
    return touched
  }
}

/** For an edit of nothing but the status, to the same one for all. */
export function refreshStatus(status: number): Refresh {
  const enabled = status === CHANNEL_STATUS.enabled
  return async (trx, channelIds) => {
    for (const ids of parts(channelIds)) await trx('abilities').whereIn('channel_id', ids).update({ enabled })
  }
}

/** How many abilities a channel should have. */
export function countAbilities({ group, models }: Pick<RoutedChannel, 'group' | 'models'>): number {
  return commaList(group).length * commaList(models).length
}

/** The (group, model) rows that a channel should have. Throws FIELD_TOO_MANY when it is absurdly many. */
export function abilitiesOf({ id, group, models, status, priority, weight, tag }: RoutedChannel): Ability[] {
  const enabled = status === CHANNEL_STATUS.enabled
  if (countAbilities({ group, models }) > PER_CHANNEL_MAX) {
    throw new GatewayError('FIELD_TOO_MANY', { field: 'models × group', max: PER_CHANNEL_MAX })
  }
  const names = commaList(models)
  return commaList(group).flatMap((name) =>
    names.map((model) => ({ group: name, model, channel_id: id, enabled, priority, weight, tag })),
  )
}

async function rebuildAbilities(trx: Knex.Transaction, channelIds: readonly number[]): Promise<void> {
  let total = 0
  for (const ids of parts(channelIds)) {
    const channels: RoutedChannel[] = await trx('channels')
      .whereIn('id', ids)
      .select(...ROUTED_COLUMNS)
    total += channels.reduce((sum, channel) => sum + countAbilities(channel), 0)
    if (total > ABILITIES_MAX) {
      throw new GatewayError('FIELD_TOO_MANY', { field: 'models × group', max: ABILITIES_MAX })
    }
    await trx('abilities').whereIn('channel_id', ids).delete()
    await insertAbilities(trx, channels)
  }
}

/** Those of one channel after the other: all at once would be a lot to remember. */
async function insertAbilities(trx: Knex.Transaction, channels: readonly RoutedChannel[]): Promise<void> {
  let rows: Ability[] = []
  for (const channel of channels) {
    rows = [...rows, ...abilitiesOf(channel)]
    if (rows.length < ROWS_PER_INSERT) continue
    await trx.batchInsert('abilities', rows, ROWS_PER_INSERT)
    rows = []
  }
  await trx.batchInsert('abilities', rows, ROWS_PER_INSERT)
}

function parts(ids: readonly number[]): number[][] {
  const count = Math.ceil(ids.length / CHANNELS_AT_ONCE)
  return Array.from({ length: count }, (_, at) => ids.slice(at * CHANNELS_AT_ONCE, (at + 1) * CHANNELS_AT_ONCE))
}
