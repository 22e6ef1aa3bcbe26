import type { Usage } from './charge.ts'
import { BY_USAGE, NEUTRAL, PRICE_SOURCES, type Price } from './price.ts'

/**
 * Returns the price fields of a log row's `other`, under their documented names. A charge can be recomputed from them.
 * Ratios of unused kinds of tokens are missing.
 */
export function priceToLog(price: Price, usage: Usage): Record<string, number | string> {
  const fields: Record<string, number | string> = {
    model_ratio: price.modelRatio,
    model_price: price.modelPrice,
    completion_ratio: price.completionRatio,
    group_ratio: price.groupRatio,
    quota_per_unit: price.quotaPerUnit,
    price_source: price.source,
  }
  if (usage.cachedTokens > 0) fields.cache_ratio = price.cacheRatio
  if (usage.cacheWriteTokens > 0) fields.cache_creation_ratio = price.cacheWriteRatio
  if (usage.audioPromptTokens > 0 || usage.audioCompletionTokens > 0) {
    fields.audio_ratio = price.audioRatio
    fields.audio_completion_ratio = price.audioCompletionRatio
  }
  if (price.imageRatio !== undefined && usage.imagePromptTokens) fields.image_ratio = price.imageRatio
  if (price.reasoningRatio !== undefined) fields.reasoning_ratio = price.reasoningRatio
  if (price.applied !== undefined) fields.price_conditions = price.applied
  return fields
}

/**
 * Returns the price in a log row, with neutral values for missing ratios. Returns undefined if the row, such as that of a
 * top-up, has no price. A price per call also needs `quota_per_unit`.
 */
export function priceFromLog(other: Record<string, unknown>): Price | undefined {
  const modelPrice = other.model_price === BY_USAGE ? BY_USAGE : ratio(other.model_price)
  const modelRatio = ratio(other.model_ratio)
  const groupRatio = ratio(other.group_ratio)
  const quotaPerUnit = ratio(other.quota_per_unit)
  if (modelPrice === undefined || modelRatio === undefined || groupRatio === undefined) return undefined
  if (modelPrice !== BY_USAGE && quotaPerUnit === undefined) return undefined
  const [imageRatio, reasoningRatio] = [ratio(other.image_ratio), ratio(other.reasoning_ratio)]
  return {
    modelRatio,
    modelPrice,
    groupRatio,
    quotaPerUnit: quotaPerUnit ?? 0,
    completionRatio: ratio(other.completion_ratio) ?? NEUTRAL.completionRatio,
    cacheRatio: ratio(other.cache_ratio) ?? NEUTRAL.cacheRatio,
    cacheWriteRatio: ratio(other.cache_creation_ratio) ?? NEUTRAL.cacheWriteRatio,
    audioRatio: ratio(other.audio_ratio) ?? NEUTRAL.audioRatio,
    audioCompletionRatio: ratio(other.audio_completion_ratio) ?? NEUTRAL.audioCompletionRatio,
    source: PRICE_SOURCES.find((source) => source === other.price_source) ?? 'option',
    ...(imageRatio !== undefined && { imageRatio }),
    ...(reasoningRatio !== undefined && { reasoningRatio }),
    ...(typeof other.price_conditions === 'string' && { applied: other.price_conditions }),
  }
}

function ratio(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
