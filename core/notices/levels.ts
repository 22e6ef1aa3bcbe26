import type { Knex } from 'knex'
import { GATEWAY, USER_STATUS } from '../actor.ts'
import type { Database } from '../db/database.ts'
import type { Limits } from '../limits/limits.ts'
import { TOKEN_STATUS } from '../tokens/token.ts'
import { DEFAULT_PERCENTS } from './notice.ts'
import { eventsOf, recordNotice } from './outbox.ts'
import { levelOf, percentsIn } from './thresholds.ts'

/** Compares balances and budgets with their thresholds. */
export interface NoticeLevels {
  /**
   * Checks accounts with a subscribed target, and writes a notice for each newly reached threshold: once, until the share falls
   * below it or the balance is credited. Does nothing without such a target. Thresholds already reached when the gateway's target
   * is new are stored without a notice. Returns the number of notices.
   */
  check(signal: AbortSignal): Promise<number>
}

const PAGE = 500
const CHANGES_AT_ONCE = 50
/** Such windows are used up repeatedly, and end before a notice arrives. */
const SHORT_PERIODS: ReadonlySet<string> = new Set(['second', 'minute'])
/** Key of the row of `meta` that marks the first check of all accounts as done. */
const LOOKED_AT_ALL = 'notice-levels-of-all'
/** Kinds of entries after which a balance counts as full. Refunds and corrections do not. */
const CREDITS = ['opening', 'grant', 'redemption', 'topup', 'invite', 'transfer', 'edit']
const EVENTS = ['balance.reached', 'budget.reached'] as const

interface UserRow {
  id: number
  username: string
  quota: number
}
interface TokenRow {
  id: number
  user_id: number
  name: string
  status: number
  unlimited_quota: boolean | number
  remain_quota: number
  used_quota: number
}
/** Usage of a balance or budget, as a level. */
interface MeasuredUsage {
  readonly event: (typeof EVENTS)[number]
  readonly subject: string
  readonly userId: number
  readonly level: number
  readonly basis: string
  readonly data: Readonly<Record<string, unknown>>
}
interface WindowUse {
  readonly limitId: number
  readonly subject: 'user' | 'token'
  readonly subjectId: number
  readonly period: string
  readonly used: number
  readonly total: number
}

export function createNoticeLevels({
  db,
  limits,
  now,
}: {
  db: Database
  limits: Pick<Limits, 'status'>
  now: () => number
}): NoticeLevels {
  /** Returns the users with an own target for these events, and whether the gateway has one, which covers all users. */
  async function scope(): Promise<{ all: boolean; userIds: number[] }> {
    const rows: { user_id: number | null; events: string }[] = await db
      .reader('notice_targets')
      .where({ enabled: true })
      .select('user_id', 'events')
    const wanting = rows.filter(({ events }) => eventsOf(events).some((event) => EVENTS.some((own) => own === event)))
    const userIds = [...new Set(wanting.flatMap(({ user_id }) => (user_id === null ? [] : [user_id])))]
    return { all: wanting.some(({ user_id }) => user_id === null), userIds }
  }

  async function* pages({ all, userIds }: { all: boolean; userIds: number[] }): AsyncGenerator<UserRow[]> {
    const users = () =>
      db.reader('users').where({ status: USER_STATUS.enabled }).whereNull('deleted_at').orderBy('id').limit(PAGE)
    if (!all) {
      for (let at = 0; at < userIds.length; at += PAGE) {
        yield await users()
          .whereIn('id', userIds.slice(at, at + PAGE))
          .select('id', 'username', 'quota')
      }
      return
    }
    for (let after = 0; ; ) {
      const rows: UserRow[] = await users().where('id', '>', after).select('id', 'username', 'quota')
      if (rows.length > 0) yield rows
      if (rows.length < PAGE) return
      after = rows.at(-1)?.id ?? after
    }
  }

  async function windowUses(): Promise<WindowUse[]> {
    const some = await db.reader('limits').where({ measure: 'quota' }).whereIn('subject', ['user', 'token']).first('id')
    if (!some) return []
    const statuses = await limits.status(GATEWAY)
    return statuses.flatMap(({ limit, subject_id, used }) => {
      const { id: limitId, subject, measure, period, amount } = limit
      if (measure !== 'quota' || SHORT_PERIODS.has(period) || (subject !== 'user' && subject !== 'token')) return []
      return [{ limitId, subject, subjectId: Number(subject_id), period, used, total: amount }]
    })
  }

  async function measure(users: readonly UserRow[], windows: readonly WindowUse[]): Promise<MeasuredUsage[]> {
    const ids = users.map(({ id }) => id)
    const tokens: TokenRow[] = await db
      .reader('tokens')
      .whereIn('user_id', ids)
      .whereNull('deleted_at')
      .select('id', 'user_id', 'name', 'status', 'unlimited_quota', 'remain_quota', 'used_quota')
    const percents = await readPercents(db.reader, ids)
    const percentsOf = (subject: 'user' | 'token', id: number) => percents.get(`${subject}:${id}`) ?? DEFAULT_PERCENTS
    const bases = await readBases(db.reader, ids)
    const username = new Map(users.map(({ id, username }) => [id, username]))
    const ownerOf = new Map(tokens.map((token) => [token.id, token]))
    return [
      ...users.flatMap((user) => balanceOf(user, bases.get(user.id), percentsOf('user', user.id))),
      ...tokens.flatMap((token) => budgetOf(token, username.get(token.user_id) ?? '', percentsOf('token', token.id))),
      ...windows.flatMap((window) => {
        const { subject, subjectId } = window
        const token = subject === 'token' ? ownerOf.get(subjectId) : undefined
        const userId = subject === 'token' ? token?.user_id : subjectId
        const name = token?.name ?? (userId === undefined ? undefined : username.get(userId))
        if (userId === undefined || name === undefined) return []
        return [windowOf(window, { userId, name }, percentsOf(subject, subjectId))]
      }),
    ]
  }

  /** Updates the stored level to the measured one. Returns whether a notice was written. */
  async function storeLevel(
    trx: Knex.Transaction,
    { event, subject, userId, level, basis, data }: MeasuredUsage,
    stored: { level: number; basis: string } | undefined,
    silent: boolean,
  ): Promise<boolean> {
    const row = { subject, user_id: userId, level, basis }
    // Of concurrent processes, the one that finds the row unchanged writes the notice.
    const moved = stored
      ? await trx('notice_levels').where({ subject, level: stored.level, basis: stored.basis }).update({ level, basis })
      : (await trx('notice_levels').insert(row).onConflict('subject').ignore().returning('subject')).length
    const before = stored?.basis === basis ? stored.level : 0
    if (moved === 0 || silent || level <= before) return false
    return (await recordNotice(trx, { event, subject, userId, data, now: now() })) !== undefined
  }

  async function compareLevels(
    measured: readonly MeasuredUsage[],
    isSilent: (userId: number) => boolean,
  ): Promise<number> {
    const userIds = [...new Set(measured.map(({ userId }) => userId))]
    const rows: { subject: string; level: number; basis: string }[] = await db
      .reader('notice_levels')
      .whereIn('user_id', userIds)
      .select('subject', 'level', 'basis')
    const stored = new Map(rows.map((row) => [row.subject, row]))
    const changed = measured.filter(({ subject, level, basis }) => {
      const before = stored.get(subject)
      return before ? before.level !== level || (before.basis !== basis && level > 0) : level > 0
    })
    let count = 0
    // In small transactions, since charges wait for them on SQLite.
    for (let at = 0; at < changed.length; at += CHANGES_AT_ONCE) {
      count += await db.transaction(async (trx) => {
        let written = 0
        for (const each of changed.slice(at, at + CHANGES_AT_ONCE)) {
          if (await storeLevel(trx, each, stored.get(each.subject), isSilent(each.userId))) written++
        }
        return written
      })
    }
    return count
  }

  return {
    async check(signal) {
      const { all, userIds } = await scope()
      const looked = await db.reader('meta').where({ key: LOOKED_AT_ALL }).first('key')
      if (!all && looked) await db.transaction((trx) => trx('meta').where({ key: LOOKED_AT_ALL }).delete())
      if (!all && userIds.length === 0) return 0
      const own = new Set(userIds)
      const isSilent = (userId: number) => all && !looked && !own.has(userId)
      const windows = await windowUses()
      let count = 0
      for await (const users of pages({ all, userIds })) {
        if (signal.aborted) return count
        count += await compareLevels(await measure(users, windows), isSilent)
      }
      if (all && !looked) {
        const row = { key: LOOKED_AT_ALL, value: String(now()) }
        await db.transaction((trx) => trx('meta').insert(row).onConflict('key').ignore())
      }
      return count
    },
  }
}

/** A balance that was never credited has no total to measure against. */
function balanceOf(
  { id, username, quota }: UserRow,
  base: { id: number; balance_after: number } | undefined,
  percents: readonly number[],
): MeasuredUsage[] {
  if (!base) return []
  const total = Number(base.balance_after)
  const level = levelOf(percents, { used: total - Number(quota), total })
  return [
    {
      event: 'balance.reached',
      subject: `user:${id}`,
      userId: id,
      level,
      basis: `entry:${base.id}`,
      data: { user_id: id, username, percent: level, quota: Number(quota), total },
    },
  ]
}

function budgetOf(token: TokenRow, username: string, percents: readonly number[]): MeasuredUsage[] {
  if (token.unlimited_quota) return []
  const [left, spent] = [Number(token.remain_quota), Number(token.used_quota)]
  const total = left + spent
  // The rest of an exhausted key does not suffice for a request.
  const used = token.status === TOKEN_STATUS.exhausted ? total : spent
  const level = levelOf(percents, { used, total })
  return [
    {
      event: 'budget.reached',
      subject: `token:${token.id}`,
      userId: token.user_id,
      level,
      basis: '',
      data: { token_id: token.id, name: token.name, username, percent: level, quota: left, total },
    },
  ]
}

function windowOf(
  { limitId, subject, subjectId, period, used, total }: WindowUse,
  { userId, name }: { userId: number; name: string },
  percents: readonly number[],
): MeasuredUsage {
  const level = levelOf(percents, { used, total })
  const quota = Math.max(0, total - used)
  return {
    event: 'budget.reached',
    subject: `limit:${limitId}/${subject}:${subjectId}`,
    userId,
    level,
    basis: '',
    data: { limit_id: limitId, [`${subject}_id`]: subjectId, name, period, percent: level, quota, total },
  }
}

async function readPercents(db: Knex, userIds: readonly number[]): Promise<Map<string, number[]>> {
  const tokens = db('tokens').whereIn('user_id', userIds).whereNull('deleted_at').select('id')
  const rows: { subject: string; subject_id: number; percents: string }[] = await db('notice_thresholds')
    .where((own) => own.where({ subject: 'user' }).whereIn('subject_id', userIds))
    .orWhere((own) => own.where({ subject: 'token' }).whereIn('subject_id', tokens))
    .select('subject', 'subject_id', 'percents')
  return new Map(rows.map(({ subject, subject_id, percents }) => [`${subject}:${subject_id}`, percentsIn(percents)]))
}

/** Returns each user's last entry that credited the balance. */
async function readBases(
  db: Knex,
  userIds: readonly number[],
): Promise<Map<number, { id: number; balance_after: number }>> {
  const last = db('ledger_entries')
    .whereIn('user_id', userIds)
    .whereIn('kind', CREDITS)
    .where('quota', '>', 0)
    .groupBy('user_id')
    .max('id')
  const rows: { id: number; user_id: number; balance_after: number }[] = await db('ledger_entries')
    .whereIn('id', last)
    .select('id', 'user_id', 'balance_after')
  return new Map(rows.map((row) => [row.user_id, row]))
}
