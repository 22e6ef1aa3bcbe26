import { describe, expect, test } from 'vitest'
import { formatPrice, matching, priceOf } from '../../../../console/pages/pricing/prices.ts'

const usage = {
  model_name: 'gpt-4o',
  quota_type: 0,
  model_price: 0,
  model_ratio: 1.25,
  completion_ratio: 4,
  owner_by: '',
  enable_groups: ['default'],
}
const call = { ...usage, model_name: 'dall-e-3', quota_type: 1, model_price: 0.04, enable_groups: ['vip'] }

describe('the price of a model', () => {
  test('by usage is model ratio × 2 × group ratio for a million prompt tokens, times the completion ratio for what it says', () => {
    expect(priceOf(usage, { groupRatio: 2, quotaPerUnit: 500_000 })).toEqual({
      prompt: 1.25 * 2 * 2,
      completion: 1.25 * 2 * 2 * 4,
      cached: undefined,
    })
  })

  test('follows what quota is worth', () => {
    expect(priceOf(usage, { groupRatio: 1, quotaPerUnit: 1_000_000 })).toMatchObject({ prompt: 1.25 })
  })

  test('has what cached tokens cost when that is known', () => {
    const detail = { cache_ratio: 0.5 }
    expect(priceOf(usage, { groupRatio: 1, quotaPerUnit: 500_000, detail })).toMatchObject({ cached: 1.25 })
  })

  test('by the call is the price × group ratio', () => {
    expect(priceOf(call, { groupRatio: 3, quotaPerUnit: 500_000 })).toEqual({ perCall: 0.04 * 3 })
  })

  test.each([
    [2.5, '$2.50'],
    [0.1 + 0.2, '$0.30'],
    [0.000075, '$0.000075'],
    [1234.5, '$1,234.50'],
  ])('%d reads %s', (dollars, text) => {
    expect(formatPrice(dollars)).toBe(text)
  })
})

test.each([
  [{ keyword: 'GPT', type: '', mine: '' }, ['gpt-4o']],
  [{ keyword: '', type: '1', mine: '' }, ['dall-e-3']],
  [{ keyword: '', type: '', mine: 'yes' }, ['gpt-4o']],
  [{ keyword: 'dall', type: '', mine: 'yes' }, []],
])('the filters %o find %o', (filters, names) => {
  expect(matching([usage, call], filters, 'default').map(({ model_name }) => model_name)).toEqual(names)
})
