import type { Knex } from 'knex'
import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Database } from '../db/database.ts'
import { readPage } from '../db/page.ts'
import { GatewayError } from '../errors.ts'
import type { Page, Paging } from '../input.ts'
import { applyFilter, type LogFilter } from './filter.ts'
import { LOG_TYPE, type Log } from './log.ts'
import { type Receipt, recompute } from './receipt.ts'
import { type Event, eventText, type QuotaDisplay } from './texts.ts'

export type LogEvent = Event & { type: 'topUp' | 'admin' | 'system'; userId: number; username: string }

export interface LogStat {
  /** Sum over the filter's time range. */
  quota: number
  /** Relays and tokens of the last 60 seconds. */
  rpm: number
  tpm: number
}

export interface DashboardCount {
  model_name: string
  /** Start of the hour, unix seconds. */
  created_at: number
  count: number
  quota: number
  token_used: number
}

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

export interface Logs {
  /** Adds a row about something that is not a relay, in the caller's transaction. */
  write(trx: Knex.Transaction, event: LogEvent): Promise<void>
  /** Adds a consumption row that nobody is charged for: a channel test. */
  writeTest(test: ChannelTest): Promise<void>
  /** Newest first. Common users see their own rows, without what only administrators may know. */
  list(actor: Actor, filter?: LogFilter & Paging): Promise<Page<Log>>
  /** Throws LOG_NOT_FOUND. */
  get(actor: Actor, id: number): Promise<Log>
  stat(actor: Actor, filter?: LogFilter): Promise<LogStat>
  /** What the row's price is when it is computed again from what it keeps. Throws LOG_NOT_FOUND, LOG_WITHOUT_RECEIPT. */
  receipt(actor: Actor, id: number): Promise<Receipt>
  /** Deletes rows older than `before` (unix seconds); their charges stay in the books as carry entries. Answers how many. */
  clear(actor: Actor, before: number): Promise<number>
  /** Consumption by model and hour. `userId` 0: everybody's, for administrators. */
  counts(actor: Actor, range: { userId: number; start: number; end: number }): Promise<DashboardCount[]>
}

const COLUMNS = [
  'logs.id',
  'logs.user_id',
  'logs.created_at',
  'logs.type',
  'logs.content',
  'logs.username',
  'logs.token_name',
  'logs.model_name',
  'logs.quota',
  'logs.prompt_tokens',
  'logs.completion_tokens',
  'logs.use_time',
  'logs.is_stream',
  'logs.channel_id as channel',
  'logs.token_id',
  'logs.group',
  'logs.other',
  'logs.request_id',
] as const

type LogRow = Omit<Log, 'channel_name' | 'request_id'> & { request_id: string | null }

const RATE_WINDOW_S = 60
const ROWS_PER_CLEAR = 10_000
const MONTH_S = 30 * 24 * 3600

export function createLogs({
  db,
  display,
  now,
}: {
  db: Database
  display: () => QuotaDisplay
  now: () => number
}): Logs {
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

  async function toLogs(rows: LogRow[], admin: boolean) {
    const ids = [...new Set(rows.map(({ channel }) => channel))]
    const names = new Map<number, string>()
    if (admin && ids.length) {
      for (const { id, name } of await db.reader('channels').whereIn('id', ids).select('id', 'name'))
        names.set(id, name)
    }
    return rows.map(
      (row): Log => ({
        ...row,
        is_stream: Boolean(row.is_stream),
        channel_name: names.get(row.channel) ?? '',
        request_id: row.request_id ?? '',
        other: admin ? row.other : withoutAdminInfo(row.other),
      }),
    )
  }

  async function get(actor: Actor, id: number): Promise<Log> {
    const query = db.reader('logs').where({ id })
    if (!isAdmin(actor)) query.where({ user_id: actor.id })
    const [row] = await query.select(...COLUMNS)
    if (!row) throw new GatewayError('LOG_NOT_FOUND', { id })
    const [log] = await toLogs([row], isAdmin(actor))
    return log as Log
  }

  return {
    async write(trx, event) {
      await trx('logs').insert({
        user_id: event.userId,
        username: event.username,
        type: LOG_TYPE[event.type],
        created_at: now(),
        content: eventText(event, display()),
        quota: event.text === 'redeemed' ? event.quota : 0,
      })
    },

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

    async list(actor, query = {}) {
      const matching = db.reader('logs').modify(applyFilter, await scoped(actor, query))
      const order = [{ column: 'logs.id', order: 'desc' as const }]
      const page = await readPage<LogRow>(matching, query, { columns: COLUMNS, order })
      return { ...page, items: await toLogs(page.items, isAdmin(actor)) }
    },

    get,

    async stat(actor, query = {}) {
      const filter = { ...(await scoped(actor, query)), type: LOG_TYPE.consumption }
      const [spent] = await db.reader('logs').modify(applyFilter, filter).sum({ quota: 'quota' })
      const recent = { ...filter, start_timestamp: now() - RATE_WINDOW_S, end_timestamp: 0 }
      const rate = await db
        .reader('logs')
        .modify(applyFilter, recent)
        .count({ rpm: '*' })
        .sum({ prompt: 'prompt_tokens', completion: 'completion_tokens' })
        .first<Record<'rpm' | 'prompt' | 'completion', number | null>>()
      return {
        quota: Number(spent?.quota ?? 0),
        rpm: Number(rate?.rpm ?? 0),
        tpm: Number(rate?.prompt ?? 0) + Number(rate?.completion ?? 0),
      }
    },

    async receipt(actor, id) {
      return recompute(await get(actor, id))
    },

    async clear(actor, before) {
      requireRole(actor, ROLE.admin)
      let cleared = 0
      for (;;) {
        const count = await db.transaction((trx) => clearPart(trx, actor, before))
        cleared += count
        if (count < ROWS_PER_CLEAR) return cleared
      }
    },

    async counts(actor, { userId, start, end }) {
      if (userId !== actor.id) requireRole(actor, ROLE.admin)
      else if (end - start > MONTH_S) {
        throw new GatewayError('FIELD_RANGE', {
          field: 'end_timestamp - start_timestamp',
          min: 0,
          max: MONTH_S,
          value: end - start,
        })
      }
      const rows = await db
        .reader('quota_data')
        .whereBetween('created_at', [start, end])
        .modify((query) => void (userId && query.where({ user_id: userId })))
        .groupBy('model_name', 'created_at')
        .orderBy('created_at')
        .select('model_name', 'created_at')
        .sum({ count: 'count', quota: 'quota', token_used: 'token_used' })
      return rows as unknown as DashboardCount[]
    },
  }

  /** One short transaction: the rows go, and each user's sum of charges comes back as one entry that carries it on. */
  async function clearPart(trx: Knex.Transaction, actor: Actor, before: number): Promise<number> {
    // Locked one by one: what is summed is what is deleted, whoever adds rows or clears at the same time.
    const ids: number[] = await trx('logs')
      .where('created_at', '<', before)
      .orderBy('id')
      .limit(ROWS_PER_CLEAR)
      .forUpdate()
      .pluck('id')
    const doomed = () => trx('logs').whereIn('id', ids)
    const sums = (await doomed()
      .where({ type: LOG_TYPE.consumption })
      .whereNotNull('request_id')
      .groupBy('user_id')
      .select('user_id')
      .sum({ quota: 'quota' })) as unknown as { user_id: number; quota: number }[]
    for (const { user_id, quota } of sums) {
      const user = await trx('users').where({ id: user_id }).first('quota')
      await trx('ledger_entries').insert({
        user_id,
        kind: 'carry',
        quota: -quota,
        balance_after: user?.quota ?? 0,
        actor_id: actor.id,
        note: `log rows before ${before}`,
        created_at: now(),
      })
    }
    return doomed().delete()
  }
}

function withoutAdminInfo(other: string): string {
  if (other === '') return ''
  const { admin_info, ...rest } = JSON.parse(other) as Record<string, unknown>
  return JSON.stringify(rest)
}
