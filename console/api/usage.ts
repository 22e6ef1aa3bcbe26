import { call } from './client.ts'
import type { TimeRange } from './logs.ts'

/** What one model used in one hour. */
export interface UsageRow {
  model_name: string
  /** unix seconds of the hour's start */
  created_at: number
  count: number
  quota: number
  token_used: number
}

/** The server answers at most 30 days. */
export const listOwnUsage = (range: TimeRange, signal: AbortSignal) =>
  call<UsageRow[]>('/api/data/self', { query: range, signal })
