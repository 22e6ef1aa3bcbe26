export type { Token } from './schema.ts'
export const TOKEN_STATUS = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const
/** Prefix of the keys that clients send. It is not stored. */
export const KEY_PREFIX = 'sk-'
export const KEY_LENGTH = 48
/** The `expired_time` of a token that never expires. */
export const NEVER = -1

export const TOKEN_ROW_COLUMNS = [
  'id',
  'user_id',
  'key',
  'status',
  'name',
  'created_time',
  'accessed_time',
  'expired_time',
  'remain_quota',
  'unlimited_quota',
  'model_limits_enabled',
  'model_limits',
  'allow_ips',
  'used_quota',
  'group',
  'store_responses',
  'member_id',
  'deleted_at as DeletedAt',
] as const

/** The settings of a token that a user chooses. */
export interface NewToken {
  name: string
  /** Unix seconds; -1: never. */
  expired_time?: number
  remain_quota?: number
  unlimited_quota?: boolean
  model_limits_enabled?: boolean
  model_limits?: string
  allow_ips?: string | null
  group?: string
  /** Whether to store responses, so that clients can continue them. Default: true. */
  store_responses?: boolean
}
