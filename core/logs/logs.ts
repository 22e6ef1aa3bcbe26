import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole, USER_STATUS } from '../actor.ts'
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
import { clearRows, finishClears } from './clear.ts'
import { type Counts, createCounts } from './counts.ts'
import { type FailedRelay, removeFailures, writeFailures } from './failures.ts'
import { applyFilter, filterOf, isByTime, type LogFilter } from './filter.ts'
import { lastRows, openPlace, ownRowsSince, rowsSince, sealPlace } from './follow.ts'
import { LOG_TYPE, type Log } from './log.ts'
import { type Receipt, recompute } from './receipt.ts'
import { LOG_COLUMNS, type LogRow, toLogs } from './rows.ts'
import { createTurns, scanRows } from './scan.ts'
import type { LogStat } from './schema.ts'
import { type Event, eventText, type QuotaDisplay } from './texts.ts'
import { createTotals } from './totals.ts'

export type LogEvent = Event & { type: 'topUp' | 'admin' | 'system'; userId: number; username: string }

export type { LogStat } from './schema.ts'

/** A channel test, as its log row shows it. The documented API logs tests under user 1. */
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
const TEST_NAME = '模型测试'

export interface Followed {
  items: Log[]
  /** Where to go on. It tells its holder nothing. */
  cursor: string
  /** Whether more has come already: for common users, of their own. */
  more: boolean
}

export interface Logs extends Counts {
  /** Adds a row about something that is not a relay, in the caller's transaction. */
  write(trx: Knex.Transaction, event: LogEvent): Promise<void>
  /** Adds a consumption row that nobody is charged for: a channel test. */
  writeTest(test: ChannelTest): Promise<void>
  /** Adds rows of failed relays, all or none. */
  writeFailures(failures: readonly FailedRelay[]): Promise<void>
  /** Removes rows of failed relays from before a time (unix seconds). Returns how many. */
  removeFailures(before: number): Promise<number>
  /** Counts all rows ahead, which takes a while among millions: the first list does not wait for it. */
  prepare(): Promise<void>
  /** Newest first. Common users see their own rows, without what only administrators may know. */
  list(actor: Actor, filter?: LogFilter & Paging): Promise<Page<Log>>
  /** Throws LOG_NOT_FOUND. */
  get(actor: Actor, id: number): Promise<Log>
  /** All that `list` would show, newest first and in batches, without a bound. */
  scan(actor: Actor, filter?: LogFilter): AsyncIterable<Log[]>
  /**
   * Rows as they come, oldest first. Without a cursor the last `last` (at most 1000); with one those since, each once, in
   * whatever order they were committed. Throws LOG_CURSOR_INVALID.
   */
  follow(actor: Actor, filter: LogFilter, from: { cursor: string } | { last: number }): Promise<Followed>
  stat(actor: Actor, filter?: LogFilter): Promise<LogStat>
  /** What the row's price is when it is computed again from what it keeps. Throws LOG_NOT_FOUND, LOG_WITHOUT_RECEIPT. */
  receipt(actor: Actor, id: number): Promise<Receipt>
  /**
   * The newest 100 rows whose type is `keyword`; for administrators also those whose content starts with it, among the
   * newest 200 000 rows.
   */
  search(actor: Actor, keyword: string): Promise<Log[]>
  /**
   * The newest 1000 rows of the token with that key, as its owner sees them; none for an unknown key, or while its owner is
   * banned. Without an address the key's allow list is not checked: for a command at the database. Throws TOKEN_IP.
   */
  ofKey(key: string, address?: string): Promise<Log[]>
  /**
   * Deletes rows older than `before` (unix seconds); their charges stay in the books as carry entries, and a row says
   * who cleared how many. Answers how many. Throws CLEAR_TIME_MISSING for 0.
   */
  clear(actor: Actor, before: number): Promise<number>
  /** Finishes clearings whose process has died. Returns how many. */
  finishClears(): Promise<number>
}

const RATE_WINDOW_S = 60
const FOUND_MAX = 100
/** No index finds the start of a content: so many rows are read in less than 300 ms. */
const SEARCHED_ROWS = 200_000
const ROWS_OF_KEY_MAX = 1000
const LAST_MAX = 1000
const NEWEST_FIRST = [{ column: 'logs.id', order: 'desc' as const }]
/** The same order, as the indexes of times and of a user's rows have it: a page of them is not sorted out of all. */
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
  const takeTurn = createTurns()
  const countMatching = createTotals(db)
  const isAdmin = (actor: Actor) => actor.role >= ROLE.admin

  /** What an actor may ask for. Common users: their own rows, whatever they ask. */
  async function scoped(actor: Actor, filter: LogFilter): Promise<LogFilter> {
    if (!isAdmin(actor)) return { ...filter, userId: actor.id, username: '', channel: 0 }
    if (!filter.username || filter.userId) return filter
    // The rows of a name are among those of the user who has it now, for whom there is an index. Only a name that
    // nobody has any more is looked for in all rows.
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
      content: eventText(event, display()),
      quota: event.type === 'topUp' && 'quota' in event ? event.quota : 0,
    })
  }

  return {
    ...createCounts({ db }),
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

    async stat(actor, query = {}) {
      const filter = { ...(await scoped(actor, query)), type: LOG_TYPE.consumption }
      const [spent] = await db.reader('logs').modify(applyFilter, filter).sum({ quota: 'quota' })
      // Nobody pays for tests of channels. They are found by an index, while all other rows would have to be looked at.
      const tests = { token_name: TEST_NAME, request_id: '' }
      const [tested] = await db.reader('logs').modify(applyFilter, filter).where(tests).sum({ quota: 'quota' })
      const recent = { ...filter, start_timestamp: now() - RATE_WINDOW_S, end_timestamp: 0 }
      const rate = await db
        .reader('logs')
        .modify(applyFilter, recent)
        .whereNot((test) => void test.where(tests))
        .count({ rpm: '*' })
        .sum({ prompt: 'prompt_tokens', completion: 'completion_tokens' })
        .first<Record<'rpm' | 'prompt' | 'completion', number | null>>()
      return {
        quota: Number(spent?.quota ?? 0) - Number(tested?.quota ?? 0),
        rpm: Number(rate?.rpm ?? 0),
        tpm: Number(rate?.prompt ?? 0) + Number(rate?.completion ?? 0),
      }
    },

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
          if (!admin) where.where({ user_id: actor.id, type })
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
        .where({ key_hash: secrets.digest(secret), 'users.status': USER_STATUS.enabled })
        .whereNull('tokens.deleted_at')
        .whereNull('users.deleted_at')
        .first('tokens.id', 'tokens.user_id', 'tokens.allow_ips')
      if (!token) return []
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

    async clear(actor, before) {
      requireRole(actor, ROLE.admin)
      if (before <= 0) throw new GatewayError('CLEAR_TIME_MISSING')
      await finishClears(db, { now, sign })
      const count = await clearRows(db, { actor, before, now, sign, audit })
      if (count > 0) await writeCleared(actor, count)
      return count
    },

    finishClears: () => finishClears(db, { now, sign }),
  }

  async function writeCleared(actor: Actor, count: number): Promise<void> {
    await db.transaction(async (trx) => {
      const user = await trx('users').where({ id: actor.id }).first('username')
      await write(trx, { type: 'admin', userId: actor.id, username: user?.username ?? '', text: 'cleared', count })
    })
  }
}
