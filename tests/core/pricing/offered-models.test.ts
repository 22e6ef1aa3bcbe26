import { expect, test } from 'vitest'
import { CHANNEL_TYPES } from '../../../core/channels/types/types.ts'
import * as D from '../../../core/pricing/defaults.ts'
import { loadLibrary } from '../../../core/pricing/library.ts'
import { findPrice } from '../../../core/pricing/prices.ts'

test('every model of the OpenAI channel type and each default model has a price, and moderation is free', async () => {
  const library = await loadLibrary()
  const tables = {
    modelRatio: D.MODEL_RATIO,
    modelPrice: D.MODEL_PRICE,
    completionRatio: D.COMPLETION_RATIO,
    cacheRatio: {},
    cacheWriteRatio: {},
    groupRatio: D.GROUP_RATIO,
    defaultModelRatio: undefined,
    quotaPerUnit: 500_000,
  }
  const priceOf = (model: string) => findPrice(tables, { model, group: 'default', library })
  const offered = CHANNEL_TYPES.find(({ slug }) => slug === 'openai')?.models ?? []
  const models = [...offered, 'omni-moderation-latest', 'gpt-image-1']

  expect(offered.length).toBeGreaterThan(0)
  expect(models.filter((model) => !priceOf(model))).toEqual([])
  expect(priceOf('omni-moderation-latest')).toMatchObject({ modelRatio: 0 })
})
