import type { Knex } from 'knex'
import { type Actor, isGateway, ROLE, requireRole, USER_STATUS } from '../actor.ts'
import type { Audit } from '../audit/audit.ts'
import type { Database } from '../db/database.ts'
import { whereStartsWith } from '../db/like.ts'
import { readPage } from '../db/page.ts'
import { GatewayError } from '../errors.ts'
import type { Page, Paging } from '../input.ts'
import type { Sign } from '../ledger/chain.ts'
import type { Secrets } from '../secrets.ts'
import { addressAllowed, addressesIn } from '../tokens/addresses.ts'
import { KEY_PREFIX } from '../tokens/token.ts'
import { clearRows } from './clear.ts'
import { type Counts, createCounts } from './counts.ts'
import { type FailedRelay, removeFailures, writeFailures } from './failures.ts'
import { applyFilter, filterOf, isByTime, type LogFilter } from './filter.ts'
import { lastRows, openPlace, ownRowsSince, rowsSince, sealPlace } from './follow.ts'
import { LOG_TYPE, type Log } from './log.ts'
import { type Receipt, recompute } from './receipt.ts'
import { storedEvent, TEST_NAME } from './remarks.ts'
import { finishRemovals } from './removal.ts'
import { LOG_COLUMNS, type LogRow, toLogs } from './rows.ts'
import { createReadQueue, scanRows } from './scan.ts'
import type { LogStat } from './schema.ts'
import { quotaSpent, withoutTests } from './spent.ts'
import { type Event, eventText, type QuotaDisplay } from './texts.ts'
import { createTotals } from './totals.ts'
import { createTraces, type Traces } from './trace.ts'
import { createDashboard, type DashboardReads } from './usage/dashboard.ts'

export type LogEvent = Event & { type: 'topUp' | 'admin' | 'system'; userId: number; username: string }

export type { LogStat } from './schema.ts'

/** A channel test for its log row. The documented API logs tests under user 1. */
export interface ChannelTest {
  channelId: number
  model: string
  promptTokens: number
  completionTokens: number
  quota: number
  useTimeSeconds: number
  other: string
}
const TEST_USER_ID = 1

export interface Followed {
  items: Log[]
  /** The place to continue, encrypted. */
  cursor: string
  /** Whether more rows exist already; for common users, of their own rows. */
  more: boolean
}

export interface Logs extends Counts, Traces, DashboardReads {
  /** Adds a row about an event other than a relay, in the caller's transaction. */
  write(trx: Knex.Transaction, event: LogEvent): Promise<void>
  /** Adds a consumption row without a charge: a channel test. */
  writeTest(test: ChannelTest): Promise<void>
  /** Adds rows of failed relays, all or none. */
  writeFailures(failures: readonly FailedRelay[]): Promise<void>
  /** Removes rows of failed relays from before a time (unix seconds). Returns how many. */
  removeFailures(before: number): Promise<number>
  /** Counts all rows in advance, which is slow with millions, so that the first list need not wait. */
  prepare(): Promise<void>
  /** Newest first. Common users see their own rows, without administrators' fields. */
  list(actor: Actor, filter?: LogFilter & Paging): Promise<Page<Log>>
  /** Throws LOG_NOT_FOUND. */
  get(actor: Actor, id: number): Promise<Log>
  /** Yields all rows of `list`, newest first, in batches and without a limit. */
  scan(actor: Actor, filter?: LogFilter): AsyncIterable<Log[]>
  /**
   * Returns rows as they arrive, oldest first. Without a cursor the last `last` (at most 1000); with a cursor all rows since,
   * each once, in any order of their commits. Throws LOG_CURSOR_INVALID.
   */
  follow(actor: Actor, filter: LogFilter, from: { cursor: string } | { last: number }): Promise<Followed>
  /** Includes times whose rows were removed: see `quotaSpent`. */
  stat(actor: Actor, filter?: LogFilter): Promise<LogStat>
  /** Recomputes the row's price from its fields. Throws LOG_NOT_FOUND, LOG_WITHOUT_RECEIPT. */
  receipt(actor: Actor, id: number): Promise<Receipt>
  /**
   * Returns the newest 100 rows whose type is `keyword`; for administrators also those whose content starts with it, among the
   * newest 200 000 rows.
   */
  search(actor: Actor, keyword: string): Promise<Log[]>
  /**
   * Returns the newest 1000 rows of the token with that key, as its owner sees them; none for an unknown key or a banned owner.
   * Without an address the key's allow list is not checked: for a command with database access. Throws TOKEN_IP.
   */
  ofKey(key: string, address?: string): Promise<Log[]>
  /**
   * Deletes rows older than `before` (unix seconds); carry entries keep their charges in the books, and a row records the actor
   * and the count. Stops early if `signal` aborts. Returns how many. Throws CLEAR_TIME_MISSING for 0.
   */
  clear(actor: Actor, before: number, signal?: AbortSignal): Promise<number>
  /** Adds a row with the actor and the number of removed rows. */
  writeClearingRow(actor: Actor, count: number): Promise<void>
  /** Finishes clearings whose process has died. Returns how many. */
  finishClears(): Promise<number>
}

const RATE_WINDOW_S = 60
const FOUND_MAX = 100
/** No index supports a search by content prefix: this many rows take less than 300 ms. */
const SEARCHED_ROWS = 200_000
const ROWS_OF_KEY_MAX = 1000
const LAST_MAX = 1000
const NEWEST_FIRST = [{ column: 'logs.id', order: 'desc' as const }]
/** The same order, as the indexes of times and of a user's rows have it, so that a page needs no sort of all rows. */
const NEWEST_BY_TIME = [{ column: 'logs.created_at', order: 'desc' as const }, ...NEWEST_FIRST]

export function createLogs({
  db,
  secrets,
  display,
  sign,
  audit,
  now,
}: {
  db: Database
  secrets: Secrets
  display: () => QuotaDisplay
  /** Signs the chain of ledger entries. */
  sign: Sign
  audit: Audit
  now: () => number
}): Logs {
  const takeTurn = createReadQueue()
  const countMatching = createTotals(db)
  const isAdmin = (actor: Actor) => actor.role >= ROLE.admin

  /** Returns the filter that an actor may use. Common users: only their own rows. */
  async function scoped(actor: Actor, filter: LogFilter): Promise<LogFilter> {
    if (!isAdmin(actor)) return { ...filter, userId: actor.id, username: '', channel: 0 }
    if (!filter.username || filter.userId) return filter
    // Search only the rows of the name's present user, for whom there is an index; without such a user, all rows.
    const bearer = await db.reader('users').where({ username: filter.username }).first('id')
    return bearer ? { ...filter, userId: bearer.id } : filter
  }

  async function get(actor: Actor, id: number): Promise<Log> {
    const query = db.reader('logs').where({ id })
    if (!isAdmin(actor)) query.where({ user_id: actor.id })
    const [row] = await query.select(...LOG_COLUMNS)
    if (!row) throw new GatewayError('LOG_NOT_FOUND', { id })
    const [log] = await toLogs(db, [row], isAdmin(actor))
    return log as Log
  }

  const write: Logs['write'] = async (trx, event) => {
    await trx('logs').insert({
      user_id: event.userId,
      username: event.username,
      type: LOG_TYPE[event.type],
      created_at: now(),
      // For programs that read the table, and for searches; `readable` translates it.
      content: eventText(event, display()),
      other: storedEvent(event),
      quota: event.type === 'topUp' && 'quota' in event ? event.quota : 0,
    })
  }

  const stat: Logs['stat'] = async (actor, query = {}) => {
    const filter = { ...(await scoped(actor, query)), type: LOG_TYPE.consumption }
    return { quota: await quotaSpent(db, filter), ...(await rate(filter)) }
  }

  /** Returns relays and tokens of the last minute, without channel tests. */
  async function rate(filter: LogFilter): Promise<Pick<LogStat, 'rpm' | 'tpm'>> {
    const recent = {
      ...filter,
      type: LOG_TYPE.consumption,
      start_timestamp: now() - RATE_WINDOW_S,
      end_timestamp: 0,
    }
    const sums = await db
      .reader('logs')
      .modify(applyFilter, recent)
      .modify(withoutTests)
      .count({ rpm: '*' })
      .sum({ prompt: 'prompt_tokens', completion: 'completion_tokens' })
      .first<Record<'rpm' | 'prompt' | 'completion', number | null>>()
    return { rpm: Number(sums?.rpm ?? 0), tpm: Number(sums?.prompt ?? 0) + Number(sums?.completion ?? 0) }
  }

  return {
    ...createCounts({ db }),
    ...createTraces({ db }),
    ...createDashboard({ db, now, rate }),
    write,

    async writeTest({ channelId, model, promptTokens, completionTokens, quota, useTimeSeconds, other }) {
      await db.transaction(async (trx) => {
        const user = await trx('users').where({ id: TEST_USER_ID }).first('username')
        await trx('logs').insert({
          user_id: TEST_USER_ID,
          username: user?.username ?? '',
          type: LOG_TYPE.consumption,
          created_at: now(),
          content: TEST_NAME,
          token_name: TEST_NAME,
          model_name: model,
          quota,
          prompt_tokens: promptTokens,
          completion_tokens: completionTokens,
          use_time: useTimeSeconds,
          channel_id: channelId,
          group: 'default',
          other,
        })
      })
    },

    writeFailures: (failures) => writeFailures(db, failures),
    removeFailures: (before) => removeFailures(db, before),

    prepare: async () => void (await countMatching({})),

    async list(actor, query = {}) {
      const filter = filterOf(await scoped(actor, query))
      const matching = db.reader('logs').modify(applyFilter, filter)
      const order = isByTime(filter) ? NEWEST_BY_TIME : NEWEST_FIRST
      const page = await readPage<LogRow>(matching, query, {
        columns: LOG_COLUMNS,
        order,
        countAll: () => countMatching(filter),
      })
      return { ...page, items: await toLogs(db, page.items, isAdmin(actor)) }
    },

    async *scan(actor, query = {}) {
      const batches = scanRows(db, await scoped(actor, query), takeTurn)
      for await (const rows of batches) yield await toLogs(db, rows, isAdmin(actor))
    },

    async follow(actor, query, from) {
      const filter = await scoped(actor, query)
      const matching = db.reader('logs').modify(applyFilter, filter)
      const { rows, place, more } =
        'cursor' in from
          ? await (isAdmin(actor) ? rowsSince : ownRowsSince)(db, matching, openPlace(secrets, from.cursor))
          : await lastRows(db, matching, {
              last: Math.min(Math.max(0, from.last), LAST_MAX),
              order: filter.userId ? NEWEST_BY_TIME : NEWEST_FIRST,
            })
      return { items: await toLogs(db, rows, isAdmin(actor)), cursor: sealPlace(secrets, place), more }
    },

    get,

    stat,

    async receipt(actor, id) {
      return recompute(await get(actor, id))
    },

    async search(actor, keyword) {
      const type = /^\d{1,9}$/.test(keyword) ? Number(keyword) : undefined
      const admin = isAdmin(actor)
      if (!admin && type === undefined) return []
      const newest = admin ? await db.reader('logs').max({ id: 'id' }).first() : undefined
      const rows: LogRow[] = await db
        .reader('logs')
        .modify((where) => {
          if (!admin) where.where('user_id', actor.id).where('type', type ?? null)
          else {
            where.where('id', '>', Number(newest?.id ?? 0) - SEARCHED_ROWS).where((either) => {
              whereStartsWith(either, 'content', keyword)
              if (type !== undefined) either.orWhere({ type })
            })
          }
        })
        .orderBy(admin ? NEWEST_FIRST : NEWEST_BY_TIME)
        .limit(FOUND_MAX)
        .select(...LOG_COLUMNS)
      return toLogs(db, rows, admin)
    },

    async ofKey(key, address) {
      const secret = key.startsWith(KEY_PREFIX) ? key.slice(KEY_PREFIX.length) : key
      const token = await db
        .reader('tokens')
        .join('users', 'users.id', 'tokens.user_id')
        .where('tokens.key_hash', secrets.digest(secret))
        .where('users.status', USER_STATUS.enabled)
        .whereNull('tokens.deleted_at')
        .whereNull('users.deleted_at')
        .first('tokens.id', 'tokens.user_id', 'tokens.member_id', 'tokens.allow_ips')
      if (!token || !(await isMemberEnabled(token.member_id))) return []
      if (address !== undefined && !addressAllowed(addressesIn(token.allow_ips), address)) {
        throw new GatewayError('TOKEN_IP', { ip: address })
      }
      const rows: LogRow[] = await db
        .reader('logs')
        .where({ user_id: token.user_id, token_id: token.id })
        .orderBy(NEWEST_BY_TIME)
        .limit(ROWS_OF_KEY_MAX)
        .select(...LOG_COLUMNS)
      return toLogs(db, rows, false)
    },

    async clear(actor, before, signal) {
      requireRole(actor, ROLE.admin)
      if (before <= 0) throw new GatewayError('CLEAR_TIME_MISSING')
      await finishRemovals(db, { now, sign })
      const count = await clearRows(db, { actor, before, now, sign, audit }, signal)
      if (count > 0 && !isGateway(actor)) await writeClearingRow(actor, count)
      return count
    },

    writeClearingRow,

    finishClears: () => finishRemovals(db, { now, sign }),
  }

  /** For a team key, the member who created it must be enabled too; other keys have no member. */
  async function isMemberEnabled(memberId: number | null): Promise<boolean> {
    if (memberId === null) return true
    const enabled = { id: memberId, status: USER_STATUS.enabled }
    return (await db.reader('users').where(enabled).whereNull('deleted_at').first('id')) !== undefined
  }

  async function writeClearingRow(actor: Actor, count: number): Promise<void> {
    await db.transaction(async (trx) => {
      const user = await trx('users').where({ id: actor.id }).first('username')
      await write(trx, { type: 'admin', userId: actor.id, username: user?.username ?? '', text: 'cleared', count })
    })
  }
}
