import { expect, test } from 'vitest'
import { durationColor, firstTokenColor } from '../../../../console/pages/logs/latency.ts'
import { readDetails } from '../../../../console/pages/logs/log-details.ts'
import { exactDollars, rowPriceOf } from '../../../../console/pages/logs/price.ts'
import { receiptFields } from '../../../../core/logs/receipt.ts'
import { BY_USAGE, chargeQuota, type Price, type Usage } from '../../../../core/pricing/prices.ts'

const PRICE: Price = {
  modelRatio: 1.25,
  modelPrice: BY_USAGE,
  completionRatio: 4,
  cacheRatio: 0.5,
  cacheWriteRatio: 1.25,
  audioRatio: 16,
  audioCompletionRatio: 2,
  groupRatio: 0.7,
  quotaPerUnit: 400_000,
  source: 'option',
}
const USAGE: Usage = {
  promptTokens: 10_000,
  completionTokens: 2000,
  cachedTokens: 3000,
  cacheWriteTokens: 1000,
  cacheWriteHourTokens: 400,
  audioPromptTokens: 500,
  audioCompletionTokens: 200,
  reasoningTokens: 7,
}

test.each<[string, Partial<Usage>]>([
  ['of every kind', {}],
  ['without audio', { audioPromptTokens: 0, audioCompletionTokens: 0 }],
  ['with more cached than sent', { cachedTokens: 99_999 }],
  ['of nothing', { promptTokens: 0, completionTokens: 0 }],
])('a price shown for tokens %s is what the gateway charges', (_, change) => {
  const usage = { ...USAGE, ...change }
  const row = { prompt_tokens: usage.promptTokens, completion_tokens: usage.completionTokens }

  const price = rowPriceOf(row, readDetails(JSON.stringify(receiptFields(PRICE, usage))), 1)

  const written = (price?.total ?? Number.NaN) * PRICE.quotaPerUnit
  // The gateway rounds to whole quota.
  expect(Math.abs(written - chargeQuota(PRICE, usage))).toBeLessThan(0.501)
})

test('a price per call is multiplied by the group ratio', () => {
  const details = readDetails('{"model_price":0.1,"group_ratio":2,"model_ratio":0}')

  expect(rowPriceOf({ prompt_tokens: 5, completion_tokens: 5 }, details, 500_000)).toEqual({
    groupRatio: 2,
    perCall: 0.1,
    tools: [],
    total: 0.2,
  })
})

test('hosted tools add their calls, before the group ratio', () => {
  const details = readDetails(
    '{"model_price":0.1,"group_ratio":2,"model_ratio":0,"tool_calls":[{"tool":"web_search","calls":3,"price":0.01},{"tool":7}]}',
  )
  const price = rowPriceOf({ prompt_tokens: 5, completion_tokens: 5 }, details, 500_000)
  expect(price?.tools).toEqual([{ tool: 'web_search', calls: 3, price: 0.01 }])
  expect(price?.total).toBeCloseTo(0.26)
})

test('a ratio of 1 is 2 dollars for a million prompt tokens', () => {
  const price = rowPriceOf(
    { prompt_tokens: 1_000_000, completion_tokens: 500_000 },
    readDetails('{"model_ratio":1,"completion_ratio":3}'),
    500_000,
  )

  expect(price).toEqual({
    groupRatio: 1,
    tools: [],
    total: 5,
    parts: [
      { kind: 'prompt', tokens: 1_000_000, perMillion: 2 },
      { kind: 'completion', tokens: 500_000, perMillion: 6 },
    ],
  })
})

test('a row without a stored price shows none', () => {
  expect(rowPriceOf({ prompt_tokens: 5, completion_tokens: 5 }, readDetails(''), 500_000)).toBeUndefined()
})

test('dollars of a computation have two to eight decimals', () => {
  expect([2, 0.000326, 0.1234567891].map(exactDollars)).toEqual(['$2.00', '$0.000326', '$0.12345679'])
})

test('use time is green under 101 s and orange under 300 s, a first token under 3 s and 10 s', () => {
  expect([100, 101, 299, 300].map(durationColor)).toEqual(['green', 'orange', 'orange', 'red'])
  expect([2999, 3000, 9999, 10_000].map(firstTokenColor)).toEqual(['green', 'orange', 'orange', 'red'])
})
