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

/** Price of an image in dollars at a model ratio of 1, for models without a price per call. A ratio of 16 is 4 cents. */
const IMAGE_DOLLARS_AT_RATIO_ONE = 0.0025

/** The operator's tables, with the names of the options. */
export interface PriceTables {
  readonly modelRatio: Ratios
  readonly modelPrice: Ratios
  readonly completionRatio: Ratios
  readonly cacheRatio: Ratios
  readonly cacheWriteRatio: Ratios
  readonly groupRatio: Ratios
  /** Factors by `condition:model`; absent: none. */
  readonly priceConditions?: Ratios
  /** The ratio of models without another price; undefined: such models are rejected. */
  readonly defaultModelRatio: number | undefined
  readonly quotaPerUnit: number
}

/**
 * Returns the price of a model for a group, or undefined if the model has no price. The operator's price per call comes first.
 * Then come ratios per token: the operator's table, the library, the free models of vendors and the default ratio, in this order.
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
  // Models of the built-in table use its family rules. The library is only for newer models.
  const familiar = fromOption !== undefined && ratioOf(MODEL_RATIO, model) !== undefined
  const known = familiar ? undefined : library?.(model)
  const modelRatio = fromOption ?? known?.modelRatio ?? ratioOf(FREE_MODELS, model) ?? tables.defaultModelRatio
  if (modelRatio === undefined) return undefined
  const own = tables.priceConditions && conditionsIn(tables.priceConditions, model)
  // The library's conditions do not apply to an operator's price.
  const isListed = fromOption === undefined || fromOption === ratioOf(MODEL_RATIO, model)
  const conditions = own ?? (isListed ? conditionsOfList(library?.(model), modelRatio) : undefined)
  const tiers = own || !isListed ? undefined : tiersOf(model)
  // List all fields: a spread would take several times as long as everything else here.
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
 * Returns the price per call of an image request: `factor` times the price of one image. If the model has no price per call, the
 * price of an image follows from the model ratio. The caller decides whether to use this price or the reported tokens.
 */
export function imagePrice(price: Price, factor: number): Price {
  const { modelPrice, modelRatio } = price
  const one = modelPrice === BY_USAGE ? IMAGE_DOLLARS_AT_RATIO_ONE * modelRatio : modelPrice
  return { ...price, ...NEUTRAL, modelPrice: one * factor }
}

/**
 * Returns the library's conditions. Omits times of day if the ratio is not the library's, because it may already be that of a
 * time.
 */
function conditionsOfList(known: LibraryPrice | undefined, modelRatio: number): readonly Condition[] | undefined {
  if (!known?.conditions || known.modelRatio === modelRatio) return known?.conditions
  return known.conditions.filter(({ kind }) => kind !== 'utc')
}
