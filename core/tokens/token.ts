import { type Static, Type } from 'typebox'

export const TOKEN_STATUS = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const
/** Keys are shown and sent with this prefix, and stored without it. */
export const KEY_PREFIX = 'sk-'
export const KEY_LENGTH = 48
export const NEVER = -1

/** A token as its owner sees it; `key` in full and without `sk-`. */
export const Token = Type.Object({
  id: Type.Integer(),
  user_id: Type.Integer(),
  key: Type.String(),
  status: Type.Integer({ description: '1 enabled, 2 disabled, 3 expired, 4 exhausted' }),
  name: Type.String(),
  created_time: Type.Integer(),
  accessed_time: Type.Integer(),
  expired_time: Type.Integer({ description: 'unix seconds, -1 never' }),
  remain_quota: Type.Integer(),
  unlimited_quota: Type.Boolean(),
  model_limits_enabled: Type.Boolean(),
  model_limits: Type.String({ description: 'comma list' }),
  allow_ips: Type.String({ description: 'one address or range per line' }),
  used_quota: Type.Integer(),
  group: Type.String({ description: "empty: the owner's group" }),
  DeletedAt: Type.Union([Type.String(), Type.Null()]),
})
export type Token = Static<typeof Token>

export const TOKEN_COLUMNS = [
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
  'deleted_at as DeletedAt',
] as const

export interface NewToken {
  name: string
  /** Unix seconds, -1 never. */
  expired_time?: number
  remain_quota?: number
  unlimited_quota?: boolean
  model_limits_enabled?: boolean
  model_limits?: string
  allow_ips?: string | null
  group?: string
}
