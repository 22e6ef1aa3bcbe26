import { expect, test } from 'vitest'
import { applyConditions, conditionsIn, conditionText, readCondition } from '../../../core/pricing/conditions.ts'
import { loadLibrary } from '../../../core/pricing/library.ts'
import {
  chargeQuota,
  findPrice,
  holdQuota,
  type Price,
  type PriceTables,
  type Usage,
} from '../../../core/pricing/prices.ts'

const TABLES: PriceTables = {
  modelRatio: {},
  modelPrice: {},
  completionRatio: {},
  cacheRatio: {},
  cacheWriteRatio: {},
  groupRatio: {},
  defaultModelRatio: undefined,
  quotaPerUnit: 500_000,
}
const FACTS = { promptTokens: 0, tier: undefined, effort: undefined, at: 0 }
const used = (promptTokens: number, completionTokens: number, more: Partial<Usage> = {}): Usage => ({
  promptTokens,
  completionTokens,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  cacheWriteHourTokens: 0,
  audioPromptTokens: 0,
  audioCompletionTokens: 0,
  reasoningTokens: 0,
  ...more,
})
const price = async (model: string, tables: Partial<PriceTables> = {}) =>
  findPrice({ ...TABLES, ...tables }, { model, group: 'default', library: await loadLibrary() }) as Price

test('the price list has the surcharge of long prompts, in exact dollars', async () => {
  const listed = await price('gpt-5.4')
  const dollars = (promptTokens: number, completionTokens: number, cachedTokens = 0) =>
    chargeQuota(
      applyConditions(listed, { ...FACTS, promptTokens }),
      used(promptTokens, completionTokens, { cachedTokens }),
    ) / TABLES.quotaPerUnit
  expect(dollars(200_000, 10_000)).toBeCloseTo(0.2 * 2.5 + 0.01 * 15, 6)
  expect(dollars(300_000, 10_000)).toBeCloseTo(0.3 * 5 + 0.01 * 22.5, 6)
  expect(dollars(300_000, 10_000, 100_000)).toBeCloseTo(0.2 * 5 + 0.1 * 0.5 + 0.01 * 22.5, 6)
  // Half of the tokens are those of pictures.
  const painter = await price('gpt-image-1')
  expect(chargeQuota(painter, used(1000, 0, { imagePromptTokens: 500 })) / TABLES.quotaPerUnit).toBeCloseTo(0.0075, 6)
})

test("an operator's price has no conditions of the list, and option rows replace those of the list", async () => {
  expect((await price('gpt-5.4', { modelRatio: { 'gpt-5.4': 1 } })).conditions).toBeUndefined()
  const priceConditions = { 'prompt>5:gpt-*': 9, 'tier=flex:gpt-5.4': 0.5, 'effort=high:gpt-5.4': 2 }
  expect((await price('gpt-5.4', { priceConditions })).conditions).toEqual([
    { kind: 'tier', name: 'flex', ratio: 0.5 },
    { kind: 'effort', name: 'high', ratio: 2 },
  ])
  expect(conditionsIn(priceConditions, 'gpt-9')).toEqual([{ kind: 'prompt', above: 5, ratio: 9 }])
  expect(conditionsIn(priceConditions, 'claude')).toBeUndefined()
})

test('a model without conditions has the same object for every request', async () => {
  const plain = await price('gpt-4o', { modelRatio: { 'gpt-4o': 1 } })
  expect(plain).not.toHaveProperty('conditions')
  expect(applyConditions(plain, { ...FACTS, promptTokens: 1e9 })).toBe(plain)
})

test('a hold covers the most expensive conditions that can apply', async () => {
  const priceConditions = {
    'prompt>100:m': 2,
    'completion>100:m': 3,
    'prompt>500:m': 4,
    'tier=flex:m': 0.5,
    'tier=priority:m': 1.7,
    'effort=high:m': 2.5,
    'utc=0000-1200:m': 0.3,
    'utc=1200-0000:m': 1.1,
    'image:m': 2,
    'reasoning:m': 9,
  }
  const listed = await price('m', { modelRatio: { m: 3 }, completionRatio: { m: 7 }, priceConditions })
  for (const promptTokens of [50, 100, 101, 499, 500, 501, 5000])
    for (const tier of [undefined, 'flex', 'priority'])
      for (const effort of [undefined, 'high'])
        for (const at of [0, 13 * 3_600_000]) {
          const applied = applyConditions(listed, { promptTokens, tier, effort, at })
          for (const more of [{}, { imagePromptTokens: promptTokens }, { reasoningTokens: 200 }]) {
            const charge = chargeQuota(applied, used(promptTokens, 200, more))
            expect(holdQuota(listed, { promptTokens, completionTokens: 200 })).toBeGreaterThanOrEqual(charge)
            const output = charge - chargeQuota(applied, used(promptTokens, 0, more))
            expect(holdQuota(listed, { promptTokens: 0, completionTokens: 200 })).toBeGreaterThanOrEqual(output - 1)
          }
        }
  // A short prompt does not hold the surcharge of long ones: 1.7 × 1.1 × the picture's 2.
  expect(holdQuota(listed, { promptTokens: 100, completionTokens: 0 })).toBe(Math.ceil(100 * 3 * 1.7 * 1.1 * 2))
})

test('conditions are written in the format in which they are read', () => {
  for (const text of [
    'prompt>200000',
    'completion>1',
    'cached>5',
    'written>5',
    'tier=flex',
    'effort=high',
    'utc=1630-0030',
    'image',
    'reasoning',
  ]) {
    const read = readCondition(text, 2)
    expect(read && conditionText(read)).toBe(text)
  }
})
