import { describe, expect, test } from 'vitest'
import { LOG_TYPE, type Log } from '../../../core/logs/log.ts'
import { receiptFields, recompute } from '../../../core/logs/receipt.ts'
import { audioInputTokens, audioOutputTokens, transcriptionTokens } from '../../../core/pricing/audio-tokens.ts'
import { COMPLETION_RATIO, GROUP_RATIO, MODEL_PRICE, MODEL_RATIO } from '../../../core/pricing/defaults.ts'
import {
  chargeQuota,
  findPrice,
  holdQuota,
  imagePrice,
  type Price,
  type PriceTables,
  type Usage,
} from '../../../core/pricing/prices.ts'
import { pricedAt, usageOf } from '../../support/usage.ts'

const TABLES: PriceTables = {
  modelRatio: { ...MODEL_RATIO, 'claude-sonnet-4-5': 1.5, 'free-model': 0 },
  modelPrice: { ...MODEL_PRICE, 'a-call': 0.05, 'a-cheap-call': 0.000_003 },
  completionRatio: { ...COMPLETION_RATIO, 'claude-sonnet-4-5': 5 },
  cacheRatio: {},
  cacheWriteRatio: {},
  groupRatio: { ...GROUP_RATIO, half: 0.5, dear: 1.7, gift: 0 },
  defaultModelRatio: 30,
  quotaPerUnit: 500_000,
}

function priceOf(model: string, group = 'default'): Price {
  const price = findPrice(TABLES, { model, group })
  if (!price) throw new Error(`${model} has no price`)
  return price
}

const text = (promptTokens: number, completionTokens = 0) => usageOf({ promptTokens, completionTokens })
/** Audio and text apart, as upstreams have them; a usage counts audio within the whole. */
const spoken = (textIn: number, audioIn: number, textOut: number, audioOut: number) =>
  usageOf({
    promptTokens: textIn + audioIn,
    completionTokens: textOut + audioOut,
    audioPromptTokens: audioIn,
    audioCompletionTokens: audioOut,
  })

/** Computed by hand; the title shows the calculation. */
const CHARGES: readonly [title: string, price: Price, usage: Usage, quota: number][] = [
  ['gpt-4o: (1000 + 500 × 4) × 1.25', priceOf('gpt-4o'), text(1000, 500), 3750],
  ['gpt-4o-mini: 7 × 0.075 = 0.525, half up', priceOf('gpt-4o-mini'), text(3, 1), 1],
  ['text-embedding-3-small: 0.1, at least 1', priceOf('text-embedding-3-small'), text(10), 1],
  ['a model by the default ratio: 200 × 30', priceOf('unknown-model'), text(100, 100), 6000],
  ['tts-1: 1000 characters × 7.5', priceOf('tts-1'), text(1000), 7500],
  ['whisper-1: 61.2 s are 1033 tokens × 15', priceOf('whisper-1'), text(transcriptionTokens(61.2)), 15_495],
  ['gpt-3.5-turbo-16k: (30 + 9 × 4/3) × 1.5, not rounded in between', priceOf('gpt-3.5-turbo-16k'), text(30, 9), 63],
  ['gpt-3.5-turbo-16k: (1 + 4/3) × 1.5 = 3.5, half up once', priceOf('gpt-3.5-turbo-16k'), text(1, 1), 4],
  ['half the price for a group: 3750 × 0.5', priceOf('gpt-4o', 'half'), text(1000, 500), 1875],
  ['a dear group: 3750 × 1.7', priceOf('gpt-4o', 'dear'), text(1000, 500), 6375],
  ['a group for nothing', priceOf('gpt-4o', 'gift'), text(1000, 500), 0],
  ['a group that has no ratio costs 1', priceOf('gpt-4o', 'unheard-of'), text(1000, 500), 3750],
  ['a free model', priceOf('free-model'), text(1_000_000, 1_000_000), 0],
  ['nothing used', priceOf('gpt-4o'), text(0), 0],
  ['one token, at least 1', priceOf('gpt-4o-mini'), text(1), 1],
  ['a call: 0.05 × 500000', priceOf('a-call'), text(0), 25_000],
  ['a call of any usage', priceOf('a-call'), text(9_000_000, 9_000_000), 25_000],
  ['a call for a dear group: 0.05 × 500000 × 1.7', priceOf('a-call', 'dear'), text(1), 42_500],
  ['a call below 2 quota is cut, not rounded: 1.5', priceOf('a-cheap-call'), text(1), 1],
  [
    'gpt-4o with cache: (1000 − 800 + 800 × 0.5 + 100 × 4) × 1.25',
    priceOf('gpt-4o'),
    usageOf({ promptTokens: 1000, cachedTokens: 800, completionTokens: 100 }),
    1250,
  ],
  [
    'Claude, five minutes: (100 + 2000 × 0.1 + 400 × 1.25 + 50 × 5) × 1.5',
    priceOf('claude-sonnet-4-5'),
    usageOf({ promptTokens: 2500, cachedTokens: 2000, cacheWriteTokens: 400, completionTokens: 50 }),
    1575,
  ],
  [
    'Claude, one hour: (100 + 400 × 1.25 × 1.6 + 50 × 5) × 1.5',
    priceOf('claude-sonnet-4-5'),
    usageOf({ promptTokens: 500, cacheWriteTokens: 400, cacheWriteHourTokens: 400, completionTokens: 50 }),
    1725,
  ],
  [
    'Claude, both: (100 + 300 × 1.25 + 100 × 1.25 × 1.6 + 50 × 5) × 1.5 = 1387.5, half up',
    priceOf('claude-sonnet-4-5'),
    usageOf({ promptTokens: 500, cacheWriteTokens: 400, cacheWriteHourTokens: 100, completionTokens: 50 }),
    1388,
  ],
  [
    'gpt-4o-audio-preview: (100 + 20 × 4 + 50 × 40 + 30 × 40 × 2) × 1.25',
    priceOf('gpt-4o-audio-preview'),
    spoken(100, 50, 20, 30),
    5725,
  ],
  [
    'gpt-4o-realtime-preview: (10 + 5 × 4 + 100 × 20 + 60 × 20 × 2) × 2.5',
    priceOf('gpt-4o-realtime-preview'),
    spoken(10, 100, 5, 60),
    11_075,
  ],
  [
    'gpt-4o-realtime-preview-2024-12-17: (10 + 5 × 4 + 100 × 8 + 60 × 8 × 2) × 2.5',
    priceOf('gpt-4o-realtime-preview-2024-12-17'),
    spoken(10, 100, 5, 60),
    4475,
  ],
  [
    'gpt-4o-mini-realtime-preview: (10 + 5 × 4 + 60 × 10/0.6 + 30 × 10/0.6 × 2) × 0.3',
    priceOf('gpt-4o-mini-realtime-preview'),
    spoken(10, 60, 5, 30),
    609,
  ],
  ['rerank by its ratio: 250 × 2', pricedAt({ modelRatio: 2 }), text(250), 500],
  ['moderation: 25 × 0.1 = 2.5, half up', priceOf('text-moderation-stable'), text(25), 3],
]

describe('a charge', () => {
  test.each(CHARGES)('%s', (_, price, usage, quota) => expect(chargeQuota(price, usage)).toBe(quota))

  test.each(CHARGES)('is recomputed from its log row alone: %s', (_, price, usage, quota) => {
    const other = JSON.stringify(receiptFields(price, usage))
    const { promptTokens: prompt_tokens, completionTokens: completion_tokens } = usage
    const row = { id: 1, type: LOG_TYPE.consumption, quota, prompt_tokens, completion_tokens, other } as Log
    expect(recompute(row)).toMatchObject({ equal: true, recomputed: quota })
  })

  test.each(CHARGES)(
    'is covered by the hold for the same tokens: %s',
    (_, price, { promptTokens, completionTokens }) => {
      const plain = usageOf({ promptTokens, completionTokens })
      expect(holdQuota(price, plain)).toBeGreaterThanOrEqual(chargeQuota(price, plain))
    },
  )
})

describe('pictures', () => {
  test.each([
    ['dall-e-3', 1, 20_000],
    ['dall-e-3', 2 * 1.5 * 2, 120_000],
    // 0.0025 × 15 × 1 = 0.0375 dollars.
    ['whisper-1', 1, 18_750],
    // No price and no ratio: 0.0025 × 30 × 0.4 = 0.03 dollars.
    ['dall-e-2', 0.4, 15_000],
    ['free-model', 10, 0],
  ])('of %s, %d times the list, cost %d', (model, factor, quota) => {
    expect(chargeQuota(imagePrice(priceOf(model), factor), text(1))).toBe(quota)
  })

  test('are rounded down to whole quota once, after the group ratio', () => {
    // 0.0025 × 0.01 × 0.45 × 500000 = 5.625; × 1.7 = 9.5625
    const price = { ...priceOf('text-embedding-3-small', 'dear') }
    expect(chargeQuota(imagePrice(price, 0.45), text(1))).toBe(9)
  })
})

describe('audio tokens', () => {
  test.each([
    [0.2, 17],
    [1, 17],
    [60, 1000],
    [61.2, 1033],
    [3600, 60_000],
  ])('for %d transcribed seconds are %d', (seconds, tokens) => expect(transcriptionTokens(seconds)).toBe(tokens))

  test.each([
    [1, 27, 13],
    [60, 1666, 833],
    [600, 16_666, 8333],
  ])('for %d session seconds are %d input and %d output', (seconds, heard, content) => {
    expect([audioInputTokens(seconds), audioOutputTokens(seconds)]).toEqual([heard, content])
  })
})
