import type { User } from '../../core/accounts/schema.ts'

const BLANK = {
  email: '',
  github_id: '',
  wechat_id: '',
  telegram_id: '',
  linux_do_id: '',
  oidc_id: '',
  quota: 0,
  used_quota: 0,
  request_count: 0,
  aff_code: '',
  aff_count: 0,
  aff_quota: 0,
  aff_history_quota: 0,
  inviter_id: 0,
}

/** Returns the documented reply of a login, which is a user in which the fields of `BLANK` are empty. */
export function loginAnswer({ debt_limit: _, ...user }: User): User {
  return { ...user, ...BLANK }
}
