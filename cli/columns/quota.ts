import type { Column } from '../output/column.ts'

/** Column of the quota used so far. */
export const USED_COLUMN: Column<{ used_quota: number }> = {
  name: 'used',
  value: ({ used_quota }, { quota }) => quota(used_quota),
  tone: () => 'money',
  sort: ({ used_quota }) => used_quota,
  align: 'right',
}

/** Column of the balance of a user or a team. */
export const BALANCE_COLUMN: Column<{ quota: number }> = {
  name: 'quota-left',
  value: (account, { quota }) => quota(account.quota),
  tone: ({ quota }) => (quota > 0 ? 'money' : 'bad'),
  sort: ({ quota }) => quota,
  align: 'right',
}
