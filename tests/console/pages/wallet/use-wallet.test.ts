import { expect, test } from 'vitest'
import { leastAmount } from '../../../../console/pages/wallet/use-wallet.ts'

test('the minimum amount is in dollars, or in quota if quota is shown', () => {
  const terms = { min_topup: 10, quota_per_unit: 500_000.5 }
  expect(leastAmount({ ...terms, display_in_currency: true })).toBe(10)
  expect(leastAmount({ ...terms, display_in_currency: false })).toBe(5_000_000)
})
