/** The two balances behind a hold, with their tables. `debt`: the columns that limit how far below zero a balance may go. */
export type AccountKind = 'user' | 'token'
export const ACCOUNTS = {
  user: { table: 'users', balance: 'quota', debt: ['debt_limit', 'group', 'kind'] },
  token: { table: 'tokens', balance: 'remain_quota', debt: [] },
} as const satisfies Record<AccountKind, { table: string; balance: string; debt: readonly string[] }>

/** How far below zero the balances of a group's users may go, by group. */
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
