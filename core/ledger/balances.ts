/** The two kinds of balance that a hold rests on, and where each lives. */
export type AccountKind = 'user' | 'token'
export const ACCOUNTS = {
  user: { table: 'users', balance: 'quota' },
  token: { table: 'tokens', balance: 'remain_quota' },
} as const satisfies Record<AccountKind, { table: string; balance: string }>
