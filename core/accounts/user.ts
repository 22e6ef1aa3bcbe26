import type { User } from './schema.ts'

export type { User } from './schema.ts'
/** Columns that listings may read: no password hash, no access token. */
export const USER_ROW_COLUMNS = [
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
  'oidc_id',
  'quota',
  'debt_limit',
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

type Row = Omit<User, 'password' | 'verification_code' | 'access_token' | 'aff_code' | 'debt_limit'> & {
  aff_code: string | null
  debt_limit: number
}

export function toUser({ debt_limit, ...row }: Row): User {
  return {
    ...row,
    ...(debt_limit > 0 && { debt_limit }),
    aff_code: row.aff_code ?? '',
    password: '',
    verification_code: '',
    access_token: null,
  }
}
