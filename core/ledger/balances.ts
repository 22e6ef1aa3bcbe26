/** The two kinds of balance that a hold rests on, and where each lives. `debt`: columns that say how far below zero it may go. */
export type AccountKind = 'user' | 'token'
export const ACCOUNTS = {
  user: { table: 'users', balance: 'quota', debt: ['debt_limit', 'group'] },
  token: { table: 'tokens', balance: 'remain_quota', debt: [] },
} as const satisfies Record<AccountKind, { table: string; balance: string; debt: readonly string[] }>

/** How far below zero the users of a group may take their balances, by group. */
export type GroupDebts = Readonly<Record<string, number>>

/** The columns of a balance's row, as `freeOf` reads them. */
export interface BalanceRow {
  readonly quota?: number
  readonly remain_quota?: number
  readonly held_quota?: number
  readonly debt_limit?: number
  readonly group?: string
}
