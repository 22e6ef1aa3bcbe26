import { type Static, Type } from 'typebox'

/** A user as the management API shows it. `password` is always empty; `DeletedAt` is null for a live account. */
export const User = Type.Object({
  id: Type.Integer(),
  username: Type.String(),
  password: Type.Literal(''),
  display_name: Type.String(),
  role: Type.Integer({ description: '1 common, 10 admin, 100 root' }),
  status: Type.Integer({ description: '1 enabled, 2 disabled' }),
  email: Type.String(),
  github_id: Type.String(),
  wechat_id: Type.String(),
  telegram_id: Type.String(),
  linux_do_id: Type.String(),
  verification_code: Type.Literal(''),
  access_token: Type.Union([Type.String(), Type.Null()]),
  quota: Type.Integer(),
  used_quota: Type.Integer(),
  request_count: Type.Integer(),
  group: Type.String(),
  aff_code: Type.String(),
  aff_count: Type.Integer(),
  aff_quota: Type.Integer(),
  aff_history_quota: Type.Integer(),
  inviter_id: Type.Integer(),
  DeletedAt: Type.Union([Type.String(), Type.Null()]),
})
export type User = Static<typeof User>

/** The columns a listing may fetch: no password hash, no access token. */
export const USER_COLUMNS = [
  'id',
  'username',
  'display_name',
  'role',
  'status',
  'email',
  'github_id',
  'wechat_id',
  'telegram_id',
  'linux_do_id',
  'quota',
  'used_quota',
  'request_count',
  'group',
  'aff_code',
  'aff_count',
  'aff_quota',
  'aff_history as aff_history_quota',
  'inviter_id',
  'deleted_at as DeletedAt',
] as const

type Row = Omit<User, 'password' | 'verification_code' | 'access_token' | 'aff_code'> & { aff_code: string | null }

export function toUser(row: Row): User {
  return { ...row, aff_code: row.aff_code ?? '', password: '', verification_code: '', access_token: null }
}
