/** The two balances that a hold uses, with their tables. `debt` lists the columns that limit the debt of a balance. */
export type AccountKind = 'user' | 'token'
export const ACCOUNTS = {
  user: { table: 'users', balance: 'quota', debt: ['debt_limit', 'group', 'kind'] },
  token: { table: 'tokens', balance: 'remain_quota', debt: [] },
} as const satisfies Record<AccountKind, { table: string; balance: string; debt: readonly string[] }>

/** Maximum debt of each user of a group, in quota, by group. */
export type GroupDebts = Readonly<Record<string, number>>

/** The columns of a balance's row that `freeOf` reads. */
export interface BalanceRow {
  readonly quota?: number
  readonly remain_quota?: number
  readonly held_quota?: number
  readonly debt_limit?: number
  readonly group?: string
  readonly kind?: number
}
