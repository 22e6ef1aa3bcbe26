import { describe, expect, test } from 'vitest'
import { LOG_TYPE, type Log } from '../../../../core/logs/log.ts'
import { recompute } from '../../../../core/logs/receipt.ts'
import type { Price } from '../../../../core/pricing/prices.ts'
import type { Bill } from '../../../../server/relay/charging/bill.ts'
import { ENDPOINTS } from '../../../../server/relay/endpoints/endpoints.ts'
import { endpointBill, endpointHold, realtimeBill } from '../../../../server/relay/endpoints/receipt.ts'
import { pricedAt, usageOf } from '../../../support/usage.ts'

/** What the log row of a bill computes to again. */
function recomputed({ usage, quota, other }: Bill) {
  const { promptTokens: prompt_tokens, completionTokens: completion_tokens } = usage
  const row = {
    id: 1,
    type: LOG_TYPE.consumption,
    quota,
    prompt_tokens,
    completion_tokens,
    other: JSON.stringify(other),
  }
  return recompute(row as Log)
}

function picture(fields: Record<string, unknown>, { model = 'dall-e-3', price = pricedAt({ modelPrice: 0.04 }) } = {}) {
  const ask = { model, body: { prompt: 'p', ...fields } }
  return { ask, price, promptTokens: 12 }
}
function bill(fields: Record<string, unknown>, options?: { model?: string; price?: Price }): Bill {
  return endpointBill(ENDPOINTS.images, { ...picture(fields, options), reported: undefined })
}

describe('a picture with a price', () => {
  test.each([
    [{}, 20_000],
    [{ quality: 'standard', n: 1, size: '' }, 20_000],
    [{ n: 3 }, 60_000],
    [{ size: '1024x1792' }, 40_000],
    [{ size: '1792x1024', quality: 'hd' }, 60_000],
    [{ quality: 'hd' }, 40_000],
    [{ quality: 'hd', size: '1024x1792', n: 2 }, 120_000],
  ])('dall-e-3 %j costs %d', (fields, quota) => expect(bill(fields).quota).toBe(quota))

  test.each([
    ['dall-e-2', { size: '256x256' }, 8000],
    ['dall-e-2', { size: '512x512', n: 2 }, 18_000],
    ['dall-e-2', { quality: 'hd' }, 20_000],
    ['another', { size: '2048x2048', quality: 'hd', n: 2 }, 40_000],
    ['constructor', { size: 'constructor' }, 20_000],
    ['imagen-3', { size: '256x256' }, 20_000],
    ['imagen-3', { size: '1024x1792' }, 20_000],
    ['flux', { batch_size: 4 }, 80_000],
    [
      'seedream',
      { sequential_image_generation: 'auto', sequential_image_generation_options: { max_images: 6 } },
      120_000,
    ],
  ])('%s %j costs %d', (model, fields, quota) => expect(bill(fields, { model }).quota).toBe(quota))

  test('has the parts of the price in its row', () => {
    const { content, other, usage, isEstimated } = bill({ quality: 'hd', size: '1024x1792', n: 2 })
    expect(content).toBe('模型价格 0.24，分组倍率 1.00, 大小 1024x1792, 品质 hd')
    expect(other).toMatchObject({ image_size: '1024x1792', image_quality: 'hd', image_count: 2, image_factor: 6 })
    expect(other).toMatchObject({ model_price: expect.closeTo(0.24, 12), model_ratio: 0, group_ratio: 1 })
    expect(usage).toMatchObject({ promptTokens: 2, completionTokens: 0 })
    expect(isEstimated).toBe(false)
  })

  test.each([
    ['as many as came, when that is more than were named', { n: 1 }, 3, 60_000],
    ['as many as came, when none were named by the name that is agreed on', { batch_size: 4 }, 2, 40_000],
    ['as many as were requested, when fewer came', { n: 4 }, 3, 80_000],
    ['only those that did not fail', { n: 4 }, 3, 60_000, 1],
  ])('costs %s', (_, fields, made, quota, failed = 0) => {
    expect(endpointBill(ENDPOINTS.images, { ...picture(fields), pieces: { made, failed } }).quota).toBe(quota)
  })

  test('costs its price, for any reported tokens', () => {
    const reported = usageOf({ promptTokens: 50, completionTokens: 4160 })
    expect(endpointBill(ENDPOINTS.images, { ...picture({}), reported }).quota).toBe(20_000)
  })
})

describe('a picture with a ratio', () => {
  const price = pricedAt({ modelRatio: 2.5, completionRatio: 8, groupRatio: 0.5 })

  test('costs the reported tokens', () => {
    const reported = usageOf({ promptTokens: 100, completionTokens: 4160 })
    const made = endpointBill(ENDPOINTS.images, { ...picture({ quality: 'high' }, { price }), reported })
    // (100 + 4160 × 8) × 2.5 × 0.5 = 41725
    expect(made).toMatchObject({ quota: 41_725, usage: reported, isEstimated: false })
    expect(made.content).toBe('模型倍率 2.50，补全倍率 8.00，分组倍率 0.50, 大小 1024x1024, 品质 high')
    expect(made.other).toMatchObject({ model_price: -1, model_ratio: 2.5, image_count: 1 })
    expect(made.other).not.toHaveProperty('image_factor')
  })

  test('costs a quarter of a cent per ratio unit if no tokens were reported', () => {
    // 0.0025 × 2.5 × 2 pictures × 0.5 × 500000 = 3125
    const made = bill({ n: 2 }, { model: 'flux', price })
    expect(made.quota).toBe(3125)
    expect(made.content).toBe('模型价格 0.0125，分组倍率 0.50, 大小 1024x1024, 品质 standard')
  })

  test('sold by tokens costs those of its size and quality if none were reported', () => {
    const made = bill({ quality: 'low', size: '1024x1536', n: 2 }, { model: 'gpt-image-1', price })
    // (12 + 408 × 2 × 8) × 2.5 × 0.5 = 8175, as much as was held
    expect(made).toMatchObject({ quota: 8175, isEstimated: true, usage: { promptTokens: 12, completionTokens: 816 } })
    expect(made.other).toMatchObject({ model_price: -1, image_count: 2 })
    expect(recomputed(made)).toMatchObject({ equal: true, recomputed: 8175 })
  })

  test('is held at the maximum tokens of its quality, but never below its price by the ratio', () => {
    const held = (fields: object, model: string) =>
      endpointHold(ENDPOINTS.images, picture({ ...fields }, { model, price }))
    // (12 + 6240 × 8) × 1.25, since the model may choose the size; (12 + 4160 × 8) × 1.25, and (12 + 408 × 2 × 8) × 1.25
    for (const size of [undefined, 'auto', '1024x1536']) expect(held({ size }, 'gpt-image-1')).toBe(62_415)
    expect(held({ size: '1024x1024' }, 'gpt-image-1')).toBe(41_615)
    expect(held({ quality: 'low', size: '1024x1536', n: 2 }, 'gpt-image-1')).toBe(8175)
    expect(held({ n: 2 }, 'flux')).toBe(3125)
  })
})

describe('other endpoints', () => {
  const speechOf = (price: Price) => ({ ask: { model: 'tts-1', body: { input: 'hello' } }, price, promptTokens: 5 })

  test('are charged by our count if the upstream reports nothing, with a note', () => {
    const made = endpointBill(ENDPOINTS.speech, { ...speechOf(pricedAt({ modelRatio: 7.5 })), reported: undefined })
    expect(made).toMatchObject({ quota: 38, isEstimated: true, usage: { promptTokens: 5, completionTokens: 0 } })
    expect(made.content).toBe('模型倍率 7.50，补全倍率 1.00，分组倍率 1.00')
    expect(made.other.model_price).toBe(-1)
  })

  test('are charged by the reported usage', () => {
    const reported = usageOf({ promptTokens: 14, completionTokens: 100 })
    const made = endpointBill(ENDPOINTS.speech, { ...speechOf(pricedAt({ completionRatio: 20 })), reported })
    expect(made).toMatchObject({ quota: 2014, isEstimated: false })
  })

  test('are charged per call if the operator set such a price for speech', () => {
    const made = endpointBill(ENDPOINTS.speech, { ...speechOf(pricedAt({ modelPrice: 0.02 })), reported: undefined })
    expect(made).toMatchObject({ quota: 10_000, content: '模型价格 0.02，分组倍率 1.00' })
  })

  test('include the audio ratios of a transcription sold by audio tokens', () => {
    const reported = usageOf({ promptTokens: 100, completionTokens: 10, audioPromptTokens: 80 })
    const price = pricedAt({ audioRatio: 2.4, completionRatio: 4 })
    const ask = { model: 'gpt-4o-transcribe', body: {} }
    const made = endpointBill(ENDPOINTS.transcriptions, { ask, price, reported, promptTokens: 0 })
    // 20 + 80 × 2.4 + 10 × 4 = 252
    expect(made.quota).toBe(252)
    expect(made.content).toBe('模型倍率 1.00，补全倍率 4.00，音频倍率 2.40，音频补全倍率 1.00，分组倍率 1.00')
    expect(made.other).toMatchObject({ audio: true, audio_input: 80, text_input: 20, audio_ratio: 2.4 })
  })

  test('note that nothing was used', () => {
    const made = endpointBill(ENDPOINTS.embeddings, {
      ask: { model: 'm', body: { input: 'x' } },
      price: pricedAt(),
      reported: undefined,
      promptTokens: 0,
    })
    expect(made).toMatchObject({ quota: 0, content: '模型倍率 1.00，补全倍率 1.00，分组倍率 1.00（可能是上游超时）' })
  })
})

describe('a realtime session', () => {
  const price = pricedAt({ modelRatio: 2.5, completionRatio: 4, audioRatio: 20, audioCompletionRatio: 2 })

  test('has all kinds of tokens and their ratios', () => {
    const usage = usageOf({
      promptTokens: 110,
      completionTokens: 65,
      audioPromptTokens: 100,
      audioCompletionTokens: 60,
    })
    const made = realtimeBill(price, usage, { isEstimated: false })
    expect(made.quota).toBe(11_075)
    expect(made.content).toBe('模型倍率 2.50，补全倍率 4.00，音频倍率 20.00，音频补全倍率 2.00，分组倍率 1.00')
    expect(made.other).toMatchObject({
      ws: true,
      audio_input: 100,
      audio_output: 60,
      text_input: 10,
      text_output: 5,
      audio_ratio: 20,
      audio_completion_ratio: 2,
    })
    expect(made.other).not.toHaveProperty('audio')
  })

  test('has them also without audio', () => {
    const made = realtimeBill(price, usageOf({ promptTokens: 4 }), { isEstimated: true })
    expect(made).toMatchObject({
      quota: 10,
      isEstimated: true,
      other: { audio_input: 0, text_input: 4, audio_ratio: 20 },
    })
  })

  test('costs a price per call once', () => {
    const usage = usageOf({ promptTokens: 9000, completionTokens: 9000 })
    expect(realtimeBill(pricedAt({ modelPrice: 0.1 }), usage, { isEstimated: false }).quota).toBe(50_000)
  })
})

test.each<[string, Bill]>([
  ['a picture with a price', bill({ quality: 'hd', size: '1024x1792', n: 7 })],
  ['a picture at an odd price', bill({ n: 7 }, { price: pricedAt({ modelPrice: 0.1, groupRatio: 0.7 }) })],
  [
    'a picture with a ratio',
    bill({ size: '512x512', n: 3 }, { model: 'dall-e-2', price: pricedAt({ modelRatio: 30 }) }),
  ],
  [
    'a session with cached audio',
    realtimeBill(
      pricedAt({ modelRatio: 2.5, cacheRatio: 0.5, audioRatio: 20, audioCompletionRatio: 2 }),
      usageOf({
        promptTokens: 200,
        cachedTokens: 64,
        completionTokens: 50,
        audioPromptTokens: 100,
        audioCompletionTokens: 40,
      }),
      { isEstimated: false },
    ),
  ],
  [
    'a session without a word at a price per call',
    realtimeBill(pricedAt({ modelPrice: 0.1 }), usageOf({}), { isEstimated: false }),
  ],
])('the log row of %s computes to its charge', (_, made) => {
  expect(recomputed(made)).toMatchObject({ equal: true, charged: made.quota })
})
