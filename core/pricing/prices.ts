import { type Condition, conditionsIn, withConditions } from './conditions.ts'
import { FREE_MODELS, MODEL_RATIO, type Ratios } from './defaults.ts'
import { AUDIO_COMPLETION_RATIO, audioRatio, cacheRatio, cacheWriteRatio, completionRatio } from './family-ratios.ts'
import type { LibraryLookup, LibraryPrice } from './library.ts'
import { ownRatio, ratioOf } from './names.ts'
import { BY_USAGE, NEUTRAL, type Price } from './price.ts'
import { tiersOf } from './tiers.ts'

export { chargeQuota, holdQuota, type Usage } from './charge.ts'
export { applyConditions } from './conditions.ts'
export { BY_USAGE, type Price, type PriceSource } from './price.ts'
export { priceFromLog, priceToLog } from './price-log.ts'
export { withTiers } from './tiers.ts'

/** Price of an image in dollars at a model ratio of 1, for models without a price per call. */
const IMAGE_DOLLARS_AT_RATIO_ONE = 0.0025

/** The operator's tables, with the names of the options. */
export interface PriceTables {
  readonly modelRatio: Ratios
  readonly modelPrice: Ratios
  readonly completionRatio: Ratios
  readonly cacheRatio: Ratios
  readonly cacheWriteRatio: Ratios
  readonly groupRatio: Ratios
  /** Factors by `condition:model`. */
  readonly priceConditions?: Ratios
  /** The ratio of models without another price. If undefined, such models are rejected. */
  readonly defaultModelRatio: number | undefined
  readonly quotaPerUnit: number
}

/**
 * Returns the price of a model for a group, or undefined if the model has no price. The operator's price per call takes
 * precedence over prices per token.
 *
 * The ratio per token is the first of these: the operator's table, the library, the free models of vendors, the default
 * ratio.
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
  // Models of the built-in table use the rules of their family. The library is only for newer models.
  const isBuiltIn = fromOption !== undefined && ratioOf(MODEL_RATIO, model) !== undefined
  const listed = isBuiltIn ? undefined : library?.(model)
  const modelRatio = fromOption ?? listed?.modelRatio ?? ratioOf(FREE_MODELS, model) ?? tables.defaultModelRatio
  if (modelRatio === undefined) return undefined
  const ownConditions = tables.priceConditions && conditionsIn(tables.priceConditions, model)
  // The library's conditions do not apply to a price that the operator set.
  const isListed = fromOption === undefined || fromOption === ratioOf(MODEL_RATIO, model)
  const conditions = ownConditions ?? (isListed ? conditionsOfList(library?.(model), modelRatio) : undefined)
  const tiers = ownConditions || !isListed ? undefined : tiersOf(model)
  // List all fields, because a spread would be several times slower than the rest of this function.
  const price: Price = {
    modelRatio,
    modelPrice: BY_USAGE,
    completionRatio: completionRatio(model, tables.completionRatio, listed?.completionRatio),
    cacheRatio: cacheRatio(model, tables.cacheRatio, listed?.cacheRatio),
    cacheWriteRatio: cacheWriteRatio(model, tables.cacheWriteRatio, listed?.cacheWriteRatio),
    audioRatio: listed?.audioRatio ?? audioRatio(model),
    audioCompletionRatio: listed?.audioCompletionRatio ?? AUDIO_COMPLETION_RATIO,
    groupRatio,
    quotaPerUnit,
    source: fromOption !== undefined ? 'option' : listed ? 'library' : 'default',
  }
  return withConditions(tiers ? { ...price, tiers } : price, conditions)
}

/**
 * Returns the price per call of an image request: `factor` times the price of one image. Without a price per call, the
 * price of an image is derived from the model ratio. The caller decides whether to use this price or the reported
 * tokens.
 */
export function imagePrice(price: Price, factor: number): Price {
  const { modelPrice, modelRatio } = price
  const dollars = modelPrice === BY_USAGE ? IMAGE_DOLLARS_AT_RATIO_ONE * modelRatio : modelPrice
  return { ...price, ...NEUTRAL, modelPrice: dollars * factor }
}

/** Returns the library's conditions. Omits times of day if the ratio, which may include one, is not the library's. */
function conditionsOfList(listed: LibraryPrice | undefined, modelRatio: number): readonly Condition[] | undefined {
  if (!listed?.conditions || listed.modelRatio === modelRatio) return listed?.conditions
  return listed.conditions.filter(({ kind }) => kind !== 'utc')
}
