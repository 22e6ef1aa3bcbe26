import type { Data } from './calls.ts'
import { call } from './client.ts'
import type { TimeRange } from './logs.ts'

/** What one model used in one hour. */
export type UsageRow = Pick<
  Data<'GET /api/data/self'>[number],
  'model_name' | 'created_at' | 'count' | 'quota' | 'token_used'
>

/** The server answers at most 30 days. */
export const listOwnUsage = (range: TimeRange, signal: AbortSignal) =>
  call('GET /api/data/self', { query: range, signal })

/** Everybody's, added up; or that of one user. For administrators. */
export const listUsage = (query: TimeRange & { username: string }, signal: AbortSignal) =>
  call('GET /api/data/', { query, signal })
