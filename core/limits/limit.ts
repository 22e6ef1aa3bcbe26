export type { Limit, LimitStatus, NewLimit } from './schema.ts'

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
export type LimitSubject = (typeof LIMIT_SUBJECTS)[number]

export const LIMIT_MEASURES = ['requests', 'tokens', 'quota', 'concurrent'] as const
export type LimitMeasure = (typeof LIMIT_MEASURES)[number]

/** Lengths of windows, the shortest first. Limits of concurrent requests have `none`. */
export const LIMIT_PERIODS = ['none', 'second', 'minute', 'hour', 'day', 'week', 'month'] as const
export type LimitPeriod = (typeof LIMIT_PERIODS)[number]

/**
 * What happens to a request above the limit. `reject`: it gets status 429. `queue`: it waits for up to `wait_seconds`.
 * `notify`: it is served, and root gets a mail.
 */
export const LIMIT_ACTIONS = ['reject', 'queue', 'notify'] as const
type LimitAction = (typeof LIMIT_ACTIONS)[number]

/** The `subject_id` of a default. An administrator's limit of the same measure and period replaces it for a subject. */
export const EACH = '*'

/** The subjects whose limits are checked before a channel is chosen. */
export const CALLER_SUBJECTS: readonly LimitSubject[] = ['token', 'user', 'group', 'model', 'address', 'member']

/** The fields of a limit that counting needs. */
export interface CountedLimit {
  readonly id: number
  readonly subject: LimitSubject
  readonly subject_id: string
  readonly measure: LimitMeasure
  readonly period: LimitPeriod
  /** IANA name of the time zone of calendar windows. Empty for rolling windows. */
  readonly time_zone: string
  readonly amount: number
  readonly action: LimitAction
  readonly wait_seconds: number
}

/** A limit that applies to requests. */
export interface LiveLimit extends CountedLimit {
  /** Whether an administrator set the limit. A limit that another user set replaces no default and sends no mail. */
  readonly set_by_admin: boolean
}
