import type { Knex } from 'knex'

/** Sums over all users, including deleted users. */
export interface LedgerTotals {
  /** Quota that was charged and not refunded. */
  usedQuota: number
  /** Number of charged requests. */
  requests: number
  /** Quota that users can still spend. */
  balanceQuota: number
}

export async function readTotals(reader: Knex): Promise<LedgerTotals> {
  const row = await reader('users')
    .sum({ usedQuota: 'used_quota', requests: 'request_count', balanceQuota: 'quota' })
    .first<Record<keyof LedgerTotals, unknown>>()
  const of = (name: keyof LedgerTotals) => Number(row?.[name] ?? 0)
  return { usedQuota: of('usedQuota'), requests: of('requests'), balanceQuota: of('balanceQuota') }
}
