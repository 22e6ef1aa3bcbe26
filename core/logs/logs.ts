import type { Knex } from 'knex'
import { type Actor, isGateway, ROLE, requireRole, USER_STATUS } from '../actor.ts'
import type { Audit } from '../audit/audit.ts'
import type { Database } from '../db/database.ts'
import { whereStartsWith } from '../db/like.ts'
import { readPage } from '../db/page.ts'
import { requireRow } from '../db/require-row.ts'
import { GatewayError } from '../errors.ts'
import type { Page, Paging } from '../input.ts'
import type { Sign } from '../ledger/chain.ts'
import type { Secrets } from '../secrets.ts'
import { addressesIn, isAddressAllowed } from '../tokens/addresses.ts'
import { KEY_PREFIX } from '../tokens/token.ts'
import { clearRows } from './clear.ts'
import { createCounts } from './counts.ts'
import { type FailedRelay, removeFailures, writeFailures } from './failures.ts'
import { applyFilter, isByTime, type LogFilter, logFilterOf } from './filter.ts'
import { lastRows, openPosition, ownRowsSince, rowsSince, sealPosition } from './follow.ts'
import { LOG_TYPE, type Log } from './log.ts'
import { type Receipt, recompute } from './receipt.ts'
import { storedEvent, TEST_NAME } from './remarks.ts'
import { finishRemovals } from './removal.ts'
import { LOG_ROW_COLUMNS, NEWEST_BY_ID, NEWEST_BY_TIME, type StoredLog, toLogs } from './rows.ts'
import { createReadQueue, scanRows } from './scan.ts'
import type { LogStat } from './schema.ts'
import { quotaSpent, withoutTests } from './spent.ts'
import { type Event, eventText, type QuotaDisplay } from './texts.ts'
import { createTotals } from './totals.ts'
import { createTraces } from './trace.ts'
import { createDashboard } from './usage/dashboard.ts'

type LogEvent = Event & { type: 'topUp' | 'admin' | 'system'; userId: number; username: string }

export type { LogStat } from './schema.ts'

/** A channel test, as written to the log. As in the documented API, the row belongs to user 1. */
interface ChannelTest {
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
  /** Encrypted text with which the next call continues. */
  cursor: string
  /** Whether more rows may already exist, so that the caller can continue immediately. */
  more: boolean
}

export type Logs = ReturnType<typeof createLogs>

const RATE_WINDOW_S = 60
const FOUND_MAX = 100
/** Maximum number of rows that a search reads without an index. Reading so many rows takes less than 300 ms. */
const SEARCHED_ROWS = 200_000
const ROWS_OF_KEY_MAX = 1000
const LAST_MAX = 1000

export function createLogs(parts: {
  db: Database
  secrets: Secrets
  display: () => QuotaDisplay
  /** Signs the chains of ledger entries. */
  sign: Sign
  audit: Audit
  now: () => number
}) {
  const { db, secrets, display, sign, audit, now } = parts
  const takeTurn = createReadQueue()
  const countMatching = createTotals(db)
  const isAdmin = (actor: Actor) => actor.role >= ROLE.admin

  /** Returns the filter that an actor may use. A common user's filter includes only the user's own rows. */
  async function scopeFilter(actor: Actor, filter: LogFilter): Promise<LogFilter> {
    if (!isAdmin(actor)) return { ...filter, userId: actor.id, username: '', channel: 0 }
    if (!filter.username || filter.userId) return filter
    // Also filter by the id of the user who has this name now, because the log has an index by user id. If no user has
    // this name, search all rows.
    const user = await db.reader('users').where({ username: filter.username }).first('id')
    return user ? { ...filter, userId: user.id } : filter
  }

  async function get(actor: Actor, id: number): Promise<Log> {
    const query = db.reader('logs').where({ id })
    if (!isAdmin(actor)) query.where({ user_id: actor.id })
    const [row]: StoredLog[] = await query.select(LOG_ROW_COLUMNS)
    if (!row) throw new GatewayError('LOG_NOT_FOUND', { id })
    const [log] = await toLogs(db, [row], isAdmin(actor))
    return requireRow(log)
  }

  async function write(trx: Knex.Transaction, event: LogEvent): Promise<void> {
    await trx('logs').insert({
      user_id: event.userId,
      username: event.username,
      type: LOG_TYPE[event.type],
      created_at: now(),
      // `content` is for searches, and for programs that read the table. `translateRemarks` shows the event in the
      // reader's language.
      content: eventText(event, display()),
      other: storedEvent(event),
      quota: event.type === 'topUp' && 'quota' in event ? event.quota : 0,
    })
  }

  async function stat(actor: Actor, query: LogFilter = {}): Promise<LogStat> {
    const filter = { ...(await scopeFilter(actor, query)), type: LOG_TYPE.consumption }
    return { quota: await quotaSpent(db, filter), ...(await rate(filter)) }
  }

  /** Returns the number of relays and tokens of the last minute. Excludes channel tests. */
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
    /** Adds a row about an event other than a relay, in the caller's transaction. */
    write,

    /** Adds the row of a channel test. The row has the type of consumption, but charges no user. */
    async writeTest({
      channelId,
      model,
      promptTokens,
      completionTokens,
      quota,
      useTimeSeconds,
      other,
    }: ChannelTest): Promise<void> {
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

    /** Adds rows of failed relays, all or none. Skips rows that already exist. */
    writeFailures: (failures: readonly FailedRelay[]): Promise<void> => writeFailures(db, failures),
    /** Removes rows of failed relays older than `before` (Unix seconds). Returns the number of removed rows. */
    removeFailures: (before: number): Promise<number> => removeFailures(db, before),

    /**
     * Counts all rows in advance, because counting millions of rows is slow, and the first `list` would wait for it.
     */
    prepare: async (): Promise<void> => void (await countMatching({})),

    /** Returns rows, newest first. Common users see only their own rows, without administrators' fields. */
    async list(actor: Actor, query: LogFilter & Paging = {}): Promise<Page<Log>> {
      const filter = logFilterOf(await scopeFilter(actor, query))
      const matching = db.reader('logs').modify(applyFilter, filter)
      const order = isByTime(filter) ? NEWEST_BY_TIME : NEWEST_BY_ID
      const page = await readPage<StoredLog>(matching, query, {
        columns: LOG_ROW_COLUMNS,
        order,
        countAll: () => countMatching(filter),
      })
      return { ...page, items: await toLogs(db, page.items, isAdmin(actor)) }
    },

    /** Yields all rows that match a filter, newest first, in batches. */
    async *scan(actor: Actor, query: LogFilter = {}): AsyncIterable<Log[]> {
      const batches = scanRows(db, await scopeFilter(actor, query), takeTurn)
      for await (const rows of batches) yield await toLogs(db, rows, isAdmin(actor))
    },

    /**
     * Returns rows for a caller that polls, oldest first. The first call passes `last`, the number of past rows to
     * return (at most 1000). A later call passes the last `cursor`, and gets each row that is new since then once.
     * Throws LOG_CURSOR_INVALID.
     */
    async follow(actor: Actor, query: LogFilter, from: { cursor: string } | { last: number }): Promise<Followed> {
      const filter = await scopeFilter(actor, query)
      const matching = db.reader('logs').modify(applyFilter, filter)
      const { rows, position, more } =
        'cursor' in from
          ? await (isAdmin(actor) ? rowsSince : ownRowsSince)(db, matching, openPosition(secrets, from.cursor))
          : await lastRows(db, matching, {
              last: Math.min(Math.max(0, from.last), LAST_MAX),
              order: filter.userId ? NEWEST_BY_TIME : NEWEST_BY_ID,
            })
      return { items: await toLogs(db, rows, isAdmin(actor)), cursor: sealPosition(secrets, position), more }
    },

    /** Returns a row. Throws LOG_NOT_FOUND, also if a common user requests another user's row. */
    get,

    /** Returns the quota that matching relays spent (see `quotaSpent`), and the rate of the last minute. */
    stat,

    /** Recomputes the price of a row from its fields. Throws LOG_NOT_FOUND, LOG_WITHOUT_RECEIPT. */
    async receipt(actor: Actor, id: number): Promise<Receipt> {
      return recompute(await get(actor, id))
    },

    /**
     * Returns the newest 100 rows whose type number is `keyword`. For administrators, also returns rows whose content
     * starts with `keyword`, but searches only the newest 200 000 rows.
     */
    async search(actor: Actor, keyword: string): Promise<Log[]> {
      const type = /^\d{1,9}$/.test(keyword) ? Number(keyword) : undefined
      const isAdminActor = isAdmin(actor)
      if (!isAdminActor && type === undefined) return []
      const newest = isAdminActor ? await db.reader('logs').max({ id: 'id' }).first() : undefined
      const rows: StoredLog[] = await db
        .reader('logs')
        .modify((where) => {
          if (!isAdminActor) where.where('user_id', actor.id).where('type', type ?? null)
          else {
            where.where('id', '>', Number(newest?.id ?? 0) - SEARCHED_ROWS).where((either) => {
              whereStartsWith(either, 'content', keyword)
              if (type !== undefined) either.orWhere({ type })
            })
          }
        })
        .orderBy(isAdminActor ? NEWEST_BY_ID : NEWEST_BY_TIME)
        .limit(FOUND_MAX)
        .select(LOG_ROW_COLUMNS)
      return toLogs(db, rows, isAdminActor)
    },

    /**
     * Returns the newest 1000 rows of the token with this key, with the fields that the token's owner may see. Returns
     * no rows if the key is unknown, or if the owner or the member who created the key is not enabled. Throws TOKEN_IP
     * if the token's allow list lacks `address`. Local commands pass no address.
     */
    async ofKey(key: string, address?: string): Promise<Log[]> {
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
      if (address !== undefined && !isAddressAllowed(addressesIn(token.allow_ips), address)) {
        throw new GatewayError('TOKEN_IP', { ip: address })
      }
      const rows: StoredLog[] = await db
        .reader('logs')
        .where({ user_id: token.user_id, token_id: token.id })
        .orderBy(NEWEST_BY_TIME)
        .limit(ROWS_OF_KEY_MAX)
        .select(LOG_ROW_COLUMNS)
      return toLogs(db, rows, false)
    },

    /**
     * Deletes rows older than `before` (Unix seconds). Entries of the kind `carry` replace the charges in the ledger.
     * Returns the number of deleted rows, and writes a log row with this number and the actor. Stops early if `signal`
     * aborts. Administrators only. Throws CLEAR_TIME_MISSING if `before` is 0.
     */
    async clear(actor: Actor, before: number, signal?: AbortSignal): Promise<number> {
      requireRole(actor, ROLE.admin)
      if (before <= 0) throw new GatewayError('CLEAR_TIME_MISSING')
      await finishRemovals(db, { now, sign })
      const count = await clearRows(db, { actor, before, now, sign, audit }, signal)
      if (count > 0 && !isGateway(actor)) await writeClearingRow(actor, count)
      return count
    },

    /** Adds a log row with the actor and the number of removed rows. */
    writeClearingRow,

    /** Writes the missing `carry` entries of clearings whose process crashed. Returns the number of these clearings. */
    finishClears: (): Promise<number> => finishRemovals(db, { now, sign }),
  }

  /** Returns whether the member who created a team's key is enabled. True for other keys, which have no member. */
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
