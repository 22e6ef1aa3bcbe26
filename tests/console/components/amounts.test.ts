import { expect, test } from 'vitest'
import { formatCount, formatQuota } from '../../../console/components/amounts.ts'

const money = { quota_per_unit: 500_000, display_in_currency: true }

test('quota is shown as dollars with two decimals', () => {
  expect(formatQuota(500_000, money)).toBe('$1.00')
  expect(formatQuota(61_728_394, money)).toBe('$123.46')
  expect(formatQuota(0, money)).toBe('$0.00')
  expect(formatQuota(-250_000, money)).toBe('-$0.50')
})

test('an amount below a cent is never shown as zero', () => {
  expect(formatQuota(1, money)).toBe('$0.000002')
  expect(formatQuota(4_999, money)).toBe('$0.009998')
  expect(formatQuota(5_000, money)).toBe('$0.01')
})

test('quota is a count if the platform shows no money', () => {
  const counted = (quota: number) => formatQuota(quota, { ...money, display_in_currency: false })
  expect([0, 9_999, 500_000, 61_728_394, -61_728_394].map(counted)).toEqual(['0', '9999', '500k', '61.7M', '-61.7M'])
})

test('counts are full up to 9 999 and abbreviated from 10 000', () => {
  expect([0, 9_999, 10_000, 12_345, 999_999].map(formatCount)).toEqual(['0', '9999', '10k', '12.3k', '999.9k'])
  expect([1_000_000, 2_550_000, 1_000_000_000].map(formatCount)).toEqual(['1M', '2.5M', '1B'])
})
