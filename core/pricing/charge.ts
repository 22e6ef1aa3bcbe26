import { highestPrice } from './conditions.ts'
import { BY_USAGE, type Price } from './price.ts'

/** The tokens of one relay. `promptTokens` and `completionTokens` include all the other counts. */
export interface Usage {
  readonly promptTokens: number
  readonly completionTokens: number
  readonly cachedTokens: number
  readonly cacheWriteTokens: number
  /** Of `cacheWriteTokens`, the tokens that are cached for an hour instead of five minutes. */
  readonly cacheWriteHourTokens: number
  readonly audioPromptTokens: number
  readonly audioCompletionTokens: number
  /** Most models charge the same for reasoning as for other completion tokens. */
  readonly reasoningTokens: number
  /** Absent if the upstream reports no number of image tokens. */
  readonly imagePromptTokens?: number
}

/**
 * Returns the quota of a relay: an integer, never negative. A price per call does not depend on the usage, and is
 * rounded down.
 *
 * For a price per token, each kind of token is multiplied by its ratio, and the sum is rounded half up. The quota is at
 * least 1 if tokens were used and the ratio is not 0.
 */
export function chargeQuota(price: Price, usage: Usage): number {
  if (price.modelPrice !== BY_USAGE) return perCall(price)
  const { weighted, used } = weigh(price, usage)
  const ratio = price.modelRatio * price.groupRatio
  const quota = roundSafely(weighted * ratio, roundHalfUp)
  return quota === 0 && used && ratio !== 0 ? 1 : quota
}

/** Returns the quota to hold for an estimate, rounded up. It is never less than `chargeQuota` of the same tokens. */
export function holdQuota(listed: Price, estimate: { promptTokens: number; completionTokens: number }): number {
  const { promptTokens, completionTokens } = estimate
  const usage: Usage = {
    promptTokens,
    completionTokens,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    cacheWriteHourTokens: 0,
    audioPromptTokens: 0,
    audioCompletionTokens: 0,
    reasoningTokens: 0,
  }
  const price = listed.conditions ? highestPrice(listed, promptTokens) : listed
  const charge = chargeQuota(price, usage)
  if (price.modelPrice !== BY_USAGE) return charge
  const exact = weigh(price, usage).weighted * price.modelRatio * price.groupRatio
  return Math.max(charge, roundSafely(exact, roundUp))
}

function perCall({ modelPrice, quotaPerUnit, groupRatio }: Price): number {
  return roundSafely(modelPrice * quotaPerUnit * groupRatio, roundDown)
}

/** The price of a one-hour cache write, as a multiple of the price of a five-minute cache write. */
const HOUR_WRITE = 1.6

/**
 * Converts all tokens to an equivalent number of plain prompt tokens (`weighted`). `used` is true if there are any
 * tokens.
 *
 * Upstreams sometimes report more cached tokens than prompt tokens. Each count is therefore limited to the tokens that
 * remain.
 */
function weigh(price: Price, usage: Usage): { weighted: number; used: boolean } {
  const prompt = count(usage.promptTokens)
  const cached = Math.min(count(usage.cachedTokens), prompt)
  const written = Math.min(count(usage.cacheWriteTokens), prompt - cached)
  const writtenForAnHour = Math.min(count(usage.cacheWriteHourTokens), written)
  const audio = Math.min(count(usage.audioPromptTokens), prompt - cached - written)
  const completion = count(usage.completionTokens)
  const audioCompletion = Math.min(count(usage.audioCompletionTokens), completion)
  const weighted =
    prompt -
    cached -
    written -
    audio +
    cached * price.cacheRatio +
    (written + writtenForAnHour * (HOUR_WRITE - 1)) * price.cacheWriteRatio +
    audio * price.audioRatio +
    (completion - audioCompletion) * price.completionRatio +
    audioCompletion * price.audioRatio * price.audioCompletionRatio +
    imageSurplus(price, usage, prompt - cached - written - audio) +
    reasoningSurplus(price, usage, completion - audioCompletion)
  return { weighted, used: prompt + completion > 0 }
}

/** Returns the extra cost of image tokens over other prompt tokens, in plain prompt tokens. */
function imageSurplus({ imageRatio }: Price, { imagePromptTokens = 0 }: Usage, remaining: number): number {
  return imageRatio === undefined ? 0 : Math.min(count(imagePromptTokens), remaining) * (imageRatio - 1)
}

/** Returns the extra cost of reasoning tokens over other completion tokens, in plain prompt tokens. */
function reasoningSurplus({ reasoningRatio, completionRatio }: Price, usage: Usage, remaining: number): number {
  if (reasoningRatio === undefined) return 0
  return Math.min(count(usage.reasoningTokens), remaining) * (reasoningRatio - completionRatio)
}

/** Returns 0 for negative numbers and NaN. */
function count(tokens: number): number {
  return tokens > 0 ? Math.min(tokens, Number.MAX_SAFE_INTEGER) : 0
}

/** Rounds a number and limits it to safe integers. Returns 0 for negative numbers and NaN. */
function roundSafely(exact: number, round: (exact: number) => number): number {
  return exact > 0 ? Math.max(0, Math.min(round(exact), Number.MAX_SAFE_INTEGER)) : 0
}

/**
 * Returns the tolerance of a product of ratios. In binary, 0.1 × 500000 × 0.7 is 34999.999…, but it must be rounded
 * like 35000. The tolerance grows with the number, like the error of a double.
 */
function noise(exact: number): number {
  return Math.max(1e-6, exact * 2 ** -50)
}

const roundDown = (exact: number) => Math.floor(exact + noise(exact))
const roundHalfUp = (exact: number) => Math.floor(exact + 0.5 + noise(exact))
const roundUp = (exact: number) => Math.ceil(exact - noise(exact))
