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

/** Window lengths, shortest first; `none`: counts concurrent requests. */
export const LIMIT_PERIODS = ['none', 'second', 'minute', 'hour', 'day', 'week', 'month'] as const
export type LimitPeriod = (typeof LIMIT_PERIODS)[number]

/** The handling of a request that does not fit: a 429, a wait for up to `wait_seconds`, or only a mail to root. */
export const LIMIT_ACTIONS = ['reject', 'queue', 'notify'] as const
export type LimitAction = (typeof LIMIT_ACTIONS)[number]

/** The subject of a default: each subject of its kind for which no administrator set a limit of the same measure and period. */
export const EACH = '*'

/** Subjects whose limits are checked before channel selection. */
export const CALLER_SUBJECTS: readonly LimitSubject[] = ['token', 'user', 'group', 'model', 'address', 'member']

/** The fields of a limit that counting needs. */
export interface CountedLimit {
  readonly id: number
  readonly subject: LimitSubject
  readonly subject_id: string
  readonly measure: LimitMeasure
  readonly period: LimitPeriod
  /** IANA name for calendar windows; empty: rolling. */
  readonly time_zone: string
  readonly amount: number
  readonly action: LimitAction
  readonly wait_seconds: number
}

/** A limit as it applies to requests. */
export interface LiveLimit extends CountedLimit {
  /** Limits that other users set do not replace defaults, and mail nothing. */
  readonly set_by_admin: boolean
}
