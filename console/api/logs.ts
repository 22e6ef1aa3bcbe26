import { call } from './client.ts'

/** A row of the usage log. Its id is shortened for users and repeats: never a key. */
export interface LogRow {
  id: number
  created_at: number
  type: number
  token_name: string
  model_name: string
  quota: number
  prompt_tokens: number
  completion_tokens: number
  /** seconds */
  use_time: number
  is_stream: boolean
  content: string
}

export interface Page<T> {
  items: T[]
  page: number
  page_size: number
  total: number
}

/** Spending in the asked range, and requests and tokens of the last minute. */
export interface LogStat {
  quota: number
  rpm: number
  tpm: number
}

/** Unix seconds, both ends included. */
export type TimeRange = { start_timestamp: number; end_timestamp: number }

export const LOG_TYPE = { topup: 1, consume: 2, manage: 3, system: 4 } as const

export const listOwnLogs = (query: { p: number; page_size: number }, signal: AbortSignal) =>
  call<Page<LogRow>>('/api/log/self/', { query, signal })

export const getOwnStat = (range: TimeRange, signal: AbortSignal) =>
  call<LogStat>('/api/log/self/stat', { query: { type: LOG_TYPE.consume, ...range }, signal })
