import { beforeAll, describe, expect, test } from 'vitest'
import { COMPLETION_RATIO, GROUP_RATIO, MODEL_PRICE, MODEL_RATIO } from '../../core/pricing/defaults.ts'
import { audioRatio, cacheRatio, cacheWriteRatio, completionRatio } from '../../core/pricing/family-ratios.ts'
import { type LibraryLookup, loadLibrary } from '../../core/pricing/library.ts'
import {
  BY_USAGE,
  chargeQuota,
  findPrice,
  holdQuota,
  type Price,
  type PriceTables,
  priceFromLog,
  priceToLog,
  type Usage,
} from '../../core/pricing/prices.ts'
import { pricedAt, usageOf } from '../support/usage.ts'

const DEFAULTS: PriceTables = {
  modelRatio: MODEL_RATIO,
  modelPrice: MODEL_PRICE,
  completionRatio: COMPLETION_RATIO,
  cacheRatio: {},
  cacheWriteRatio: {},
  groupRatio: GROUP_RATIO,
  defaultModelRatio: undefined,
  quotaPerUnit: 500_000,
}
const NO_USAGE = usageOf({})
const PER_TOKEN = pricedAt()

function priceOf(model: string, tables: Partial<PriceTables> = {}, library?: LibraryLookup): Price {
  const price = findPrice({ ...DEFAULTS, ...tables }, { model, group: 'default', library })
  if (!price) throw new Error(`${model} has no price`)
  return price
}

function charge(price: Partial<Price>, usage: Partial<Usage>): number {
  return chargeQuota({ ...PER_TOKEN, ...price }, { ...NO_USAGE, ...usage })
}

/** Luck that repeats itself from run to run. */
function repeatableRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

describe('default tables', () => {
  test('are complete and contain only chargeable ratios', () => {
    expect(Object.keys(MODEL_RATIO)).toHaveLength(168)
    expect(Object.keys(MODEL_PRICE)).toHaveLength(22)
    expect(COMPLETION_RATIO).toEqual({ 'gpt-4-gizmo-*': 2, 'gpt-4o-gizmo-*': 3, 'gpt-4-all': 2 })
    expect(GROUP_RATIO).toEqual({ default: 1, svip: 1, vip: 1 })
    for (const ratio of [...Object.values(MODEL_RATIO), ...Object.values(MODEL_PRICE)]) {
      expect(Number.isFinite(ratio) && ratio >= 0).toBe(true)
    }
  })

  test('make only glm-4-flash free among the per-token models', () => {
    expect(Object.keys(MODEL_RATIO).filter((name) => MODEL_RATIO[name] === 0)).toEqual(['glm-4-flash'])
  })

  test.each([
    ['gpt-4o', 1.25],
    ['o1', 7.5],
    ['o3-mini-2025-01-31-medium', 0.55],
    ['ERNIE-4.0-8K', 8.219178082191782],
    ['llama-3-sonar-large-32k-online', 0.5],
    ['deepseek-reasoner', 0.275],
  ])('price %s at ratio %d', (model, ratio) => expect(MODEL_RATIO[model]).toBe(ratio))
})

describe('completion ratio', () => {
  test.each([
    ['gpt-4', 2],
    ['gpt-4-0613', 2],
    ['gpt-4-all', 2],
    ['gpt-4o-all', 1],
    ['gpt-4o', 4],
    ['gpt-4o-mini', 4],
    ['gpt-4o-2024-05-13', 3],
    ['gpt-4o-audio-preview', 4],
    ['gpt-4-turbo', 3],
    ['gpt-4-turbo-2024-04-09', 3],
    ['gpt-4-vision-preview', 3],
    ['gpt-4-gizmo-g-12345', 2],
    ['gpt-4o-gizmo-g-12345', 3],
    ['o1-mini', 4],
    ['o3-mini-high', 4],
    ['chatgpt-4o-latest', 3],
    ['claude-instant-1', 3],
    ['claude-2.1', 3],
    ['claude-3-haiku-20240307', 5],
    ['anthropic.claude-3-opus', 5],
    ['gpt-3.5-turbo', 3],
    ['gpt-3.5-turbo-0125', 3],
    ['gpt-3.5-turbo-1106', 2],
    ['gpt-3.5-turbo-16k', 4 / 3],
    ['mistral-large-latest', 3],
    ['gemini-1.5-pro-latest', 4],
    ['command-r', 3],
    ['command-r-plus', 5],
    ['command-light', 4],
    ['deepseek-chat', 4],
    ['DeepSeek-Reasoner', 4],
    ['deepseek-coder', 1],
    ['ERNIE-Speed-8K', 2],
    ['ERNIE-Lite-8K-0922', 2],
    ['ERNIE-Character-8K', 2],
    ['ERNIE-Functions-8K', 2],
    ['ERNIE-4.0-8K', 1],
    ['llama2-70b-4096', 1.25],
    ['llama3-8b-8192', 2],
    ['llama3-70b-8192', 0.79 / 0.59],
    ['whisper-1', 1],
    ['constructor', 1],
  ])('of %s is %d', (model, ratio) => expect(completionRatio(model, COMPLETION_RATIO)).toBeCloseTo(ratio, 12))

  test("uses the operator's entry before any rule, for names with and without a slash", () => {
    expect(completionRatio('gpt-4o', { 'gpt-4o': 7 })).toBe(7)
    expect(completionRatio('vendor/gpt-4o', { 'vendor/gpt-4o': 0 })).toBe(0)
    expect(completionRatio('gpt-4-gizmo-g-1', { 'gpt-4-gizmo-*': 9 })).toBe(9)
  })
})

describe('audio and cache ratios', () => {
  test.each([
    ['gpt-4o-realtime-preview-2024-12-17', 8],
    ['gpt-4o-mini-realtime-preview', 10 / 0.6],
    ['gpt-4o-realtime-preview', 20],
    ['gpt-4o-audio-preview-2024-12-17', 16],
    ['gpt-4o-mini-audio-preview', 10 / 0.15],
    ['gpt-4o-audio-preview', 40],
    ['anything-else', 20],
  ])('an audio token of %s costs %d text tokens', (model, ratio) => expect(audioRatio(model)).toBe(ratio))

  test.each([
    ['gpt-4o-2024-08-06', 0.5, 1],
    ['o1', 0.5, 1],
    ['o3-mini', 0.5, 1],
    ['deepseek-chat', 0.25, 1],
    ['claude-3-5-sonnet-20241022', 0.1, 1.25],
    ['yi-large', 1, 1],
  ])('reading the cache of %s costs %d, writing it %d', (model, read, write) => {
    expect(cacheRatio(model, {})).toBe(read)
    expect(cacheWriteRatio(model, {})).toBe(write)
  })

  test('can be overridden by the operator', () => {
    expect(cacheRatio('gpt-4o', { 'gpt-4o': 0.75 })).toBe(0.75)
    expect(cacheWriteRatio('claude-3-opus', { 'claude-3-opus': 2 })).toBe(2)
  })
})

describe('price lookup', () => {
  test('prefers a price per call to a ratio, also if it is 0', () => {
    expect(priceOf('gpt-4o', { modelPrice: { 'gpt-4o': 0.3 } })).toMatchObject({ modelPrice: 0.3, source: 'option' })
    expect(priceOf('mj_inpaint')).toMatchObject({ modelPrice: 0 })
  })

  test('prices customized models by their wildcard, in price, ratio and completion ratio alike', () => {
    expect(priceOf('gpt-4-gizmo-g-abc')).toMatchObject({ modelPrice: 0.1 })
    expect(priceOf('gpt-4o-gizmo-g-abc')).toMatchObject({ modelPrice: BY_USAGE, modelRatio: 2.5, completionRatio: 3 })
    expect(priceOf('gpt-4-gizmo-g-abc', { modelPrice: {} })).toMatchObject({ modelRatio: 15, completionRatio: 2 })
  })

  test('finds no price for a model without one, even if named like an inherited property', () => {
    for (const model of ['no-such-model', 'constructor', '__proto__', 'toString', '']) {
      expect(findPrice(DEFAULTS, { model, group: 'default' })).toBeUndefined()
    }
  })

  test('uses the default ratio for models without any other price', () => {
    expect(priceOf('no-such-model', { defaultModelRatio: 30 })).toMatchObject({ modelRatio: 30, source: 'default' })
    expect(priceOf('gpt-4o', { defaultModelRatio: 30 })).toMatchObject({ modelRatio: 1.25, source: 'option' })
  })

  test('uses the plain price for an unknown group, also one named like a method', () => {
    const tables = { ...DEFAULTS, groupRatio: { vip: 0.5 } }
    const ratioOf = (group: string) => findPrice(tables, { model: 'gpt-4o', group })?.groupRatio
    expect([ratioOf('vip'), ratioOf('no-such-group'), ratioOf('constructor')]).toEqual([0.5, 1, 1])
  })
})

describe('the price library', () => {
  let library: LibraryLookup
  beforeAll(async () => {
    library = await loadLibrary()
  })

  test('prices models newer than the tables', () => {
    expect(priceOf('gpt-4.1', {}, library)).toMatchObject({
      modelRatio: 1,
      completionRatio: 4,
      cacheRatio: 0.25,
      source: 'library',
    })
    expect(priceOf('claude-sonnet-4-5', {}, library)).toMatchObject({ modelRatio: 1.5, completionRatio: 5 })
    expect(priceOf('claude-sonnet-4-5', {}, library).cacheRatio).toBeCloseTo(0.1)
    expect(priceOf('claude-sonnet-4-5', {}, library).cacheWriteRatio).toBeCloseTo(1.25)
  })

  test("never overrides the tables, but completes an operator's entry for a newer model", () => {
    expect(priceOf('gpt-4o-2024-05-13', {}, library)).toEqual(priceOf('gpt-4o-2024-05-13'))
    const price = priceOf('gpt-4.1', { modelRatio: { 'gpt-4.1': 3 }, completionRatio: {} }, library)
    expect(price).toMatchObject({ modelRatio: 3, completionRatio: 4, source: 'option' })
    expect(priceOf('gpt-4.1', { completionRatio: { 'gpt-4.1': 6 } }, library).completionRatio).toBe(6)
  })

  test('recognizes a model with a reasoning effort or a seller prefix', () => {
    expect(library('gpt-5-high')).toEqual(library('gpt-5'))
    expect(library('openai/gpt-4o')).toMatchObject({ modelRatio: 1.25 })
    expect(library('sonar')).toMatchObject({ modelRatio: 0.5 })
  })

  test('has separate audio and text prices if the vendor does', () => {
    expect(library('gpt-audio')).toMatchObject({ audioRatio: 32 / 2.5, audioCompletionRatio: 2 })
    expect(library('gpt-4.1')).not.toHaveProperty('audioRatio')
  })

  test('prices the output of an image model as images, not as text', () => {
    expect(library('gemini-2.5-flash-image')?.completionRatio).toBeCloseTo(30 / 0.3)
    expect(library('gemini-2.5-flash')?.completionRatio).toBeCloseTo(2.5 / 0.3)
  })

  test('has no price for unknown, free and hostile names', () => {
    const names = ['no-such-model', 'constructor', '', 'deepseek/deepseek-r1:free', 'x'.repeat(1_000_000), '(a+)+$']
    expect(names.map(library)).toEqual(names.map(() => undefined))
  })

  test('follows a price that changes during the day', async () => {
    let now = Date.UTC(2026, 8, 1, 12) / 1_000
    const timed = await loadLibrary(() => now)
    // Its output has another factor than its prompt, which no condition can express.
    const atNoon = timed('deepseek-reasoner')
    now = Date.UTC(2026, 8, 2, 20) / 1_000
    const atNight = timed('deepseek-reasoner')
    expect(atNoon).not.toHaveProperty('conditions')
    expect(atNight?.modelRatio).toBeLessThan(atNoon?.modelRatio ?? 0)
  })

  test('has times of day as conditions, since the date on which they begin', async () => {
    let now = Date.UTC(2026, 8, 1, 2) / 1_000
    const timed = await loadLibrary(() => now)
    const peaks = [
      { kind: 'utc', from: 60, to: 240, ratio: 2 },
      { kind: 'utc', from: 360, to: 600, ratio: 2 },
    ]
    expect(timed('deepseek-v4-flash')).toMatchObject({ modelRatio: 0.11, completionRatio: 3, conditions: peaks })
    now = Date.UTC(2026, 8, 1, 12) / 1_000
    expect(timed('deepseek-v4-flash')).toMatchObject({ modelRatio: 0.11, conditions: peaks })
  })
})

describe('charging per token', () => {
  test.each([
    ['gpt-4o', { promptTokens: 1000, completionTokens: 500 }, 3750],
    ['gpt-4o-mini', { promptTokens: 3, completionTokens: 1 }, 1],
    ['text-embedding-3-small', { promptTokens: 10 }, 1],
    ['no-such-model', { promptTokens: 100, completionTokens: 100 }, 6000],
    ['tts-1', { promptTokens: 1000 }, 7500],
    ['whisper-1', { promptTokens: 1033 }, 15_495],
  ])('%s with %o costs %d', (model, usage, quota) => {
    expect(charge(priceOf(model, { defaultModelRatio: 30 }), usage)).toBe(quota)
  })

  test('treats cached, written and audio tokens as parts of the prompt, at their own ratios', () => {
    const price = {
      cacheRatio: 0.5,
      cacheWriteRatio: 1.25,
      audioRatio: 20,
      audioCompletionRatio: 2,
      completionRatio: 4,
    }
    const usage = {
      promptTokens: 1000,
      cachedTokens: 400,
      cacheWriteTokens: 200,
      cacheWriteHourTokens: 0,
      audioPromptTokens: 100,
      completionTokens: 60,
      audioCompletionTokens: 10,
      reasoningTokens: 0,
    }
    expect(charge(price, usage)).toBe(300 + 200 + 250 + 2000 + 200 + 400)
    expect(charge({ ...price, modelRatio: 2, groupRatio: 0.5 }, usage)).toBe(3350)
  })

  test('rounds the whole sum once, with ties upward', () => {
    expect(charge({ completionRatio: 4 / 3, modelRatio: 3 }, { completionTokens: 1 })).toBe(4)
    expect(charge({ modelRatio: 0.5 }, { promptTokens: 5 })).toBe(3)
    expect(charge({ modelRatio: 0.5 }, { promptTokens: 3 })).toBe(2)
    // Both products are a hair below their half in binary.
    expect(charge({ modelRatio: 0.145 }, { promptTokens: 100 })).toBe(15)
    expect(charge({ modelRatio: 1.005, groupRatio: 0.1 }, { promptTokens: 1000 })).toBe(101)
    expect(charge({ modelRatio: 0.49 }, { promptTokens: 5 })).toBe(2)
  })

  test('charges at least 1 for a paid model, unless nothing was used', () => {
    expect(charge({ modelRatio: 1e-9 }, { promptTokens: 1 })).toBe(1)
    expect(charge({ modelRatio: 1e-9 }, { completionTokens: 1 })).toBe(1)
    expect(charge({ modelRatio: 15 }, {})).toBe(0)
  })

  test('is free with a ratio of 0, of the model or of the group', () => {
    expect(charge({ modelRatio: 0 }, { promptTokens: 1e6 })).toBe(0)
    expect(charge({ groupRatio: 0 }, { promptTokens: 1e6 })).toBe(0)
  })

  test.each([
    [{ promptTokens: 100, cachedTokens: 1_000_000 }, 50],
    [{ promptTokens: 100, cachedTokens: 60, cacheWriteTokens: 60 }, 30 + 50],
    [{ promptTokens: 100, audioPromptTokens: 1e9 }, 2000],
    [{ promptTokens: 100, cachedTokens: 60, cacheWriteTokens: 40, audioPromptTokens: 50 }, 30 + 50],
    [{ completionTokens: 10, audioCompletionTokens: 11 }, 400],
    [{ promptTokens: -5, completionTokens: 10 }, 10],
    [{ promptTokens: Number.NaN, completionTokens: 10 }, 10],
    [{ promptTokens: 100, cachedTokens: -100 }, 100],
    [{ promptTokens: Number.POSITIVE_INFINITY }, Number.MAX_SAFE_INTEGER],
    [{ promptTokens: 1e300, completionTokens: 1e300 }, Number.MAX_SAFE_INTEGER],
  ])('never becomes negative or inexact with invalid counts such as %o', (usage, quota) => {
    const price = { cacheRatio: 0.5, cacheWriteRatio: 1.25, audioRatio: 20, audioCompletionRatio: 2 }
    expect(charge(price, usage)).toBe(quota)
  })
})

describe('charging per call', () => {
  test('costs the price in quota, rounded down to whole quota, for any usage', () => {
    expect(charge({ modelPrice: 0.24 }, { promptTokens: 1 })).toBe(120_000)
    expect(charge({ modelPrice: 0.24 }, { promptTokens: 1e9, completionTokens: 1e9 })).toBe(120_000)
    // 0.011 × 500000 × 0.7 is 3849.999… in binary.
    expect(charge({ modelPrice: 0.011, groupRatio: 0.7 }, { promptTokens: 1 })).toBe(3850)
    expect(charge({ modelPrice: 0.0000035 }, { promptTokens: 1 })).toBe(1)
  })

  test('is free with a price of 0', () => {
    expect(charge({ modelPrice: 0 }, { promptTokens: 1e6 })).toBe(0)
  })

  test('holds exactly that amount', () => {
    const price = { ...PER_TOKEN, modelPrice: 0.1, groupRatio: 0.7 }
    expect(holdQuota(price, { promptTokens: 10, completionTokens: 500 })).toBe(35_000)
  })
})

describe('a hold', () => {
  test('uses the ratio of the tokens, rounded up', () => {
    expect(holdQuota(priceOf('gpt-4'), { promptTokens: 500, completionTokens: 0 })).toBe(7500)
    expect(holdQuota({ ...PER_TOKEN, modelRatio: 0.1 }, { promptTokens: 11, completionTokens: 0 })).toBe(2)
    // 200 × 0.035 is a hair above 7 in binary.
    expect(holdQuota({ ...PER_TOKEN, modelRatio: 0.035 }, { promptTokens: 200, completionTokens: 0 })).toBe(7)
    expect(holdQuota({ ...PER_TOKEN, modelRatio: 0.1 }, { promptTokens: 30, completionTokens: 0 })).toBe(3)
    expect(holdQuota(PER_TOKEN, { promptTokens: Number.NaN, completionTokens: -1 })).toBe(0)
  })

  test('is never below the charge of the same tokens, at most 1 above, and always a whole number', () => {
    const random = repeatableRandom(7)
    for (let round = 0; round < 20_000; round++) {
      const size = 10 ** Math.floor(random() * 8)
      const price = {
        ...PER_TOKEN,
        modelRatio: random() < 0.05 ? 0 : Number((random() * 20).toFixed(Math.floor(random() * 5))),
        completionRatio: Number((random() * 8).toFixed(2)),
        groupRatio: Number((random() * 2).toFixed(1)),
      }
      const estimate = { promptTokens: Math.floor(random() * size), completionTokens: Math.floor(random() * size) }
      const held = holdQuota(price, estimate)
      const charged = chargeQuota(price, { ...NO_USAGE, ...estimate })
      expect(Number.isSafeInteger(held) && Number.isSafeInteger(charged) && charged >= 0).toBe(true)
      expect(held === charged || held === charged + 1).toBe(true)
    }
  })
})

describe('the price in a log row', () => {
  const price: Price = { ...PER_TOKEN, modelRatio: 1.25, completionRatio: 4, cacheRatio: 0.5, groupRatio: 0.7 }

  test('recomputes the charge from its JSON form', () => {
    const random = repeatableRandom(11)
    const some = (max: number) => (random() < 0.3 ? 0 : Math.floor(random() * max))
    for (const model of [...Object.keys(MODEL_RATIO), ...Object.keys(MODEL_PRICE)]) {
      const charged = priceOf(model)
      const usage: Usage = {
        promptTokens: some(100_000),
        completionTokens: some(10_000),
        cachedTokens: some(50_000),
        cacheWriteTokens: some(20_000),
        cacheWriteHourTokens: 0,
        audioPromptTokens: some(10_000),
        audioCompletionTokens: some(5_000),
        reasoningTokens: 0,
      }
      const read = priceFromLog(JSON.parse(JSON.stringify(priceToLog(charged, usage))))
      expect(read && chargeQuota(read, usage)).toBe(chargeQuota(charged, usage))
    }
  })

  test('omits the ratios of unused tokens', () => {
    const plain = priceToLog(price, { ...NO_USAGE, promptTokens: 5 })
    expect(plain).toEqual({
      model_ratio: 1.25,
      model_price: -1,
      completion_ratio: 4,
      group_ratio: 0.7,
      quota_per_unit: 500_000,
      price_source: 'option',
    })
    const full = { ...NO_USAGE, cachedTokens: 1, cacheWriteTokens: 1, audioCompletionTokens: 1 }
    expect(priceToLog(price, full)).toMatchObject({
      cache_ratio: 0.5,
      cache_creation_ratio: 1,
      audio_ratio: 1,
      audio_completion_ratio: 1,
    })
    expect(priceFromLog(plain)).toEqual({ ...price, cacheRatio: 1 })
  })

  test('is undefined for other rows and invalid values', () => {
    const row = { model_ratio: 1, model_price: -1, group_ratio: 1 }
    expect(priceFromLog(row)).toMatchObject({ modelRatio: 1, completionRatio: 1 })
    expect(priceFromLog({})).toBeUndefined()
    expect(priceFromLog({ ...row, model_ratio: '1' })).toBeUndefined()
    expect(priceFromLog({ ...row, group_ratio: -1 })).toBeUndefined()
    expect(priceFromLog({ ...row, model_price: 0.1 })).toBeUndefined()
    expect(priceFromLog({ ...row, model_price: 0.1, quota_per_unit: 500_000 })).toMatchObject({ modelPrice: 0.1 })
  })
})
