import type { Body, Data } from './calls.ts'
import { call } from './client.ts'

/** How much of a limit one subject has used. */
export type LimitStatus = Data<'GET /api/limit/status'>[number]
export type Limit = LimitStatus['limit']
export type NewLimit = Body<'PUT /api/limit/'>['limits'][number]

export const LIMIT_SUBJECTS = [
  'token',
  'user',
  'group',
  'model',
  'channel',
  'channel-key',
  'address',
  'member',
] as const
export const LIMIT_MEASURES = ['requests', 'tokens', 'quota', 'concurrent'] as const
export const LIMIT_PERIODS = ['second', 'minute', 'hour', 'day', 'week', 'month'] as const
export const LIMIT_ACTIONS = ['reject', 'queue', 'notify'] as const
export type LimitSubject = (typeof LIMIT_SUBJECTS)[number]
/** The subject of a default limit. */
export const EACH = '*'

export const listLimits = (signal?: AbortSignal) => call('GET /api/limit/', { query: {}, signal })

/** Lists all limits that the user may see, or those of one kind of subject. */
export const listLimitStatus = (subject: LimitSubject | undefined, signal?: AbortSignal) =>
  call('GET /api/limit/status', { query: { subject }, signal })

export const setLimit = (limit: NewLimit) => call('PUT /api/limit/', { body: { limits: [limit] } })

export const removeLimit = ({ id }: Pick<Limit, 'id'>) => call('DELETE /api/limit/:id', { path: { id } })
