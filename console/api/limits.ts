import type { Data, RequestBody } from './calls.ts'
import { call } from './client.ts'

/** A limit, and the part of its amount that one subject has used. */
export type LimitStatus = Data<'GET /api/limit/status'>[number]
export type Limit = LimitStatus['limit']
export type NewLimit = RequestBody<'PUT /api/limit/'>['limits'][number]

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
export const WINDOW_PERIODS = ['second', 'minute', 'hour', 'day', 'week', 'month'] as const
export const LIMIT_ACTIONS = ['reject', 'queue', 'notify'] as const
type LimitSubject = (typeof LIMIT_SUBJECTS)[number]
/** The subject id of a default limit, which applies to each subject of its kind. */
export const EACH = '*'

export const listLimits = (signal?: AbortSignal) => call('GET /api/limit/', { query: {}, signal })

/** Lists the usage of all limits that the user may see, or only of the limits for one kind of subject. */
export const listLimitStatus = (subject: LimitSubject | undefined, signal?: AbortSignal) =>
  call('GET /api/limit/status', { query: { subject }, signal })

export const setLimit = (limit: NewLimit) => call('PUT /api/limit/', { body: { limits: [limit] } })

export const removeLimit = ({ id }: Pick<Limit, 'id'>) => call('DELETE /api/limit/:id', { path: { id } })
