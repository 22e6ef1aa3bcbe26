import { expect, test } from 'vitest'
import { findPrice, type PriceTables, withTiers } from '../../../core/pricing/prices.ts'
import { tiersOf } from '../../../core/pricing/tiers.ts'

const TABLES: PriceTables = {
  modelRatio: { 'gpt-4o': 1.25, 'gpt-4o-mini': 0.3 },
  modelPrice: {},
  completionRatio: {},
  cacheRatio: {},
  cacheWriteRatio: {},
  groupRatio: {},
  defaultModelRatio: 1,
  quotaPerUnit: 500_000,
}
const price = (model: string, tables: Partial<PriceTables> = {}) =>
  findPrice({ ...TABLES, ...tables }, { model, group: 'default' })

test.each([
  ['gpt-5', { flex: 0.5, priority: 2 }],
  ['gpt-5-2025-08-07', { flex: 0.5, priority: 2 }],
  ['gpt-5.1-codex', { flex: 0.5, priority: 2 }],
  ['gpt-5-mini-2025-08-07', { flex: 0.5, priority: 1.8 }],
  ['gpt-5-nano', { flex: 0.5 }],
  ['gpt-5.4-pro', { flex: 0.5 }],
  ['gpt-4.1-mini', { priority: 1.75 }],
  ['gpt-4o-2024-11-20', { priority: 1.7 }],
  ['gpt-4o-2024-05-13', { priority: 1.75 }],
  ['gpt-5.4-mini', { flex: 0.5, priority: 2 }],
  ['o4-mini', { flex: 0.5, priority: 20 / 11 }],
  ['claude-opus-4-6', { fast: 6 }],
])('%s has the tiers of its vendor', (model, tiers) => {
  const read = tiersOf(model)?.map((one) => [one.kind === 'tier' ? one.name : one.kind, one.ratio])
  expect(Object.fromEntries(read ?? [])).toEqual(tiers)
})

test.each(['gpt-5-chat-latest', 'gpt-4o-audio-preview', 'gpt-4', 'claude-opus-4-5', 'my-gpt-5'])(
  '%s has none',
  (model) => {
    expect(tiersOf(model)).toBeUndefined()
  },
)

test("tiers belong to the list's price, and only to requests that name one", () => {
  const listed = price('gpt-4o')
  expect(listed).not.toHaveProperty('conditions')
  const tiered = listed && withTiers(listed)
  expect(tiered?.conditions).toEqual([{ kind: 'tier', name: 'priority', ratio: 1.7 }])
  // The same object, so that what is derived from it is computed once.
  expect(listed && withTiers(listed)).toBe(tiered)
  // The operator's own price, or own conditions.
  expect(price('gpt-4o-mini')?.tiers).toBeUndefined()
  const own = price('gpt-4o', { priceConditions: { 'tier=flex:gpt-4o': 0.9 } })
  expect(own?.tiers).toBeUndefined()
  expect(own && withTiers(own).conditions).toEqual([{ kind: 'tier', name: 'flex', ratio: 0.9 }])
  expect(price('gpt-4o', { modelPrice: { 'gpt-4o': 0.1 } })?.tiers).toBeUndefined()
})
