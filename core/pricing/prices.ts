import { AUDIO_COMPLETION_RATIO, audioRatio } from './audio-ratio.ts'
import { cacheRatio, cacheWriteRatio } from './cache-ratio.ts'
import { completionRatio } from './completion-ratio.ts'
import { type Condition, conditionsIn, withConditions } from './conditions.ts'
import { FREE_MODELS, MODEL_RATIO, type Ratios } from './defaults.ts'
import type { LibraryLookup, LibraryPrice } from './library.ts'
import { ownRatio, ratioOf } from './names.ts'
import { BY_USAGE, NEUTRAL, type Price } from './price.ts'
import { tiersOf } from './tiers.ts'

export { chargeQuota, holdQuota, type Usage } from './charge.ts'
export { applyConditions } from './conditions.ts'
export { BY_USAGE, type Price, type PriceSource } from './price.ts'
export { priceFromLog, priceToLog } from './price-log.ts'
export { withTiers } from './tiers.ts'

/** Dollars per image of a model with a ratio but no price per call: ratio 16 is 4 cents. */
const IMAGE_DOLLARS_AT_RATIO_ONE = 0.0025

/** The operator's tables, under the names of the options. */
export interface PriceTables {
  readonly modelRatio: Ratios
  readonly modelPrice: Ratios
  readonly completionRatio: Ratios
  readonly cacheRatio: Ratios
  readonly cacheWriteRatio: Ratios
  readonly groupRatio: Ratios
  /** Factors by `condition:model`; absent: none. */
  readonly priceConditions?: Ratios
  /** For models without any other price; undefined: such models are rejected. */
  readonly defaultModelRatio: number | undefined
  readonly quotaPerUnit: number
}

/**
 * Returns the price of a model for a group: the operator's price per call, else a ratio per token from the operator's table, the
 * library, the vendor's free models or the default ratio, in this order. Undefined: the model has no price.
 */
export function findPrice(
  tables: PriceTables,
  request: { model: string; group: string; library?: LibraryLookup | undefined },
): Price | undefined {
  const { model, group, library } = request
  const perCall = ratioOf(tables.modelPrice, model)
  const groupRatio = ownRatio(tables.groupRatio, group) ?? 1
  const { quotaPerUnit } = tables
  if (perCall !== undefined) return { ...NEUTRAL, modelPrice: perCall, groupRatio, quotaPerUnit, source: 'option' }

  const fromOption = ratioOf(tables.modelRatio, model)
  // The built-in table and its family rules belong together; the library covers newer models.
  const familiar = fromOption !== undefined && ratioOf(MODEL_RATIO, model) !== undefined
  const known = familiar ? undefined : library?.(model)
  const modelRatio = fromOption ?? known?.modelRatio ?? ratioOf(FREE_MODELS, model) ?? tables.defaultModelRatio
  if (modelRatio === undefined) return undefined
  const own = tables.priceConditions && conditionsIn(tables.priceConditions, model)
  // The library's conditions do not apply to an operator's price.
  const isListed = fromOption === undefined || fromOption === ratioOf(MODEL_RATIO, model)
  const conditions = own ?? (isListed ? conditionsOfList(library?.(model), modelRatio) : undefined)
  const tiers = own || !isListed ? undefined : tiersOf(model)
  // No spread: it would take several times as long as the rest.
  const price: Price = {
    modelRatio,
    modelPrice: BY_USAGE,
    completionRatio: completionRatio(model, tables.completionRatio, known?.completionRatio),
    cacheRatio: cacheRatio(model, tables.cacheRatio, known?.cacheRatio),
    cacheWriteRatio: cacheWriteRatio(model, tables.cacheWriteRatio, known?.cacheWriteRatio),
    audioRatio: known?.audioRatio ?? audioRatio(model),
    audioCompletionRatio: known?.audioCompletionRatio ?? AUDIO_COMPLETION_RATIO,
    groupRatio,
    quotaPerUnit,
    source: fromOption !== undefined ? 'option' : known ? 'library' : 'default',
  }
  return withConditions(tiers ? { ...price, tiers } : price, conditions)
}

/**
 * Returns the price of an image request: a price per call, `factor` times the list price. Without a price per call it is derived
 * from the ratio; the caller decides between this price and reported tokens.
 */
export function imagePrice(price: Price, factor: number): Price {
  const { modelPrice, modelRatio } = price
  const one = modelPrice === BY_USAGE ? IMAGE_DOLLARS_AT_RATIO_ONE * modelRatio : modelPrice
  return { ...price, ...NEUTRAL, modelPrice: one * factor }
}

/** Times of day belong to the list's own price: the built-in table may have that of another time. */
function conditionsOfList(known: LibraryPrice | undefined, modelRatio: number): readonly Condition[] | undefined {
  if (!known?.conditions || known.modelRatio === modelRatio) return known?.conditions
  return known.conditions.filter(({ kind }) => kind !== 'utc')
}
