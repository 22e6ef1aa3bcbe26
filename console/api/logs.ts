import type { Data } from './calls.ts'
import { call, openStream } from './client.ts'
import { readRows } from './lines.ts'

/** A row of the usage log. Users get only the id modulo 1024, which is not unique, so never use this id as a key. */
export type LogRow = Data<'GET /api/log/self'>['items'][number]

/** The log row of a channel test has one of these texts as token name and as content. */
const TEST_NAMES = ['模型测试', 'channel test']

/** Returns whether a row is a channel test, which is not charged to a balance. */
export const isChannelTest = ({ type, content, token_name }: LogRow): boolean =>
  type === LOG_TYPE.consume && content === token_name && TEST_NAMES.includes(content)

/** The quota used in the selected range, and the requests and tokens of the last minute. */
export type LogStat = Data<'GET /api/log/self/stat'>

/** A range in unix seconds. Start and end belong to the range. */
export type TimestampRange = { start_timestamp: number; end_timestamp: number }

export const LOG_TYPE = { topup: 1, consume: 2, manage: 3, system: 4, error: 5 } as const

/** Filters of the log; empty or 0 matches all rows. */
export interface LogQuery extends TimestampRange {
  type: number
  token_name: string
  model_name: string
  group: string
  request_id: string
  /** Only for administrators, like `channel`. */
  username: string
  channel: number
}

interface LogPage {
  p: number
  page_size: number
}

export const listLogs = (query: LogQuery & LogPage, signal?: AbortSignal) => call('GET /api/log/', { query, signal })

export const listOwnLogs = (query: Partial<LogQuery> & LogPage, signal?: AbortSignal) =>
  call('GET /api/log/self', { query, signal })

export const getStat = (query: LogQuery, signal?: AbortSignal) => call('GET /api/log/stat', { query, signal })

export const getOwnStat = (query: TimestampRange & Partial<LogQuery>, signal?: AbortSignal) =>
  call('GET /api/log/self/stat', { query, signal })

/** Returns the price of a row, recomputed from the row's data. */
export const getReceipt = (id: number) => call('GET /api/log/:id/receipt', { path: { id } })

/** Time limit of exports. An export of a million rows takes minutes. */
const EXPORT_TIMEOUT_MS = 15 * 60_000

/** Yields all rows that match the filters, in arrays, newest first. */
export async function* exportLogs(query: LogQuery, { allUsers }: { allUsers: boolean }): AsyncGenerator<LogRow[]> {
  const options = { query, timeoutMs: EXPORT_TIMEOUT_MS }
  const reply = allUsers
    ? await openStream('GET /api/log/export', options)
    : await openStream('GET /api/log/self/export', options)
  yield* readRows<LogRow>(reply)
}
