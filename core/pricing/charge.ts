import { dearestPrice } from './conditions.ts'
import { BY_USAGE, type Price } from './price.ts'

/** Tokens of one relay. The cached, written, audio and reasoning counts are parts of the prompt and completion counts. */
export interface Usage {
  readonly promptTokens: number
  readonly completionTokens: number
  readonly cachedTokens: number
  readonly cacheWriteTokens: number
  /** The part of `cacheWriteTokens` cached for an hour instead of five minutes. */
  readonly cacheWriteHourTokens: number
  readonly audioPromptTokens: number
  readonly audioCompletionTokens: number
  /** Most models charge them like other completion tokens. */
  readonly reasoningTokens: number
  /** Only if the upstream reports it. */
  readonly imagePromptTokens?: number
}

/**
 * Returns the quota of a relay: an integer, never negative. A price per call applies to any usage, truncated to whole quota.
 * Tokens are summed at their ratios and rounded once, half up; at least 1 for usage at a price above 0.
 */
export function chargeQuota(price: Price, usage: Usage): number {
  if (price.modelPrice !== BY_USAGE) return perCall(price)
  const { weighted, used } = weigh(price, usage)
  const ratio = price.modelRatio * price.groupRatio
  const quota = whole(weighted * ratio, roundHalfUp)
  return quota === 0 && used && ratio !== 0 ? 1 : quota
}

/** Returns the quota to hold for these tokens, rounded up: never less than `chargeQuota` of the same tokens. */
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
  const price = listed.conditions ? dearestPrice(listed, promptTokens) : listed
  const charge = chargeQuota(price, usage)
  if (price.modelPrice !== BY_USAGE) return charge
  const exact = weigh(price, usage).weighted * price.modelRatio * price.groupRatio
  return Math.max(charge, whole(exact, roundUp))
}

function perCall({ modelPrice, quotaPerUnit, groupRatio }: Price): number {
  return whole(modelPrice * quotaPerUnit * groupRatio, roundDown)
}

/** The price of an hour in the cache, in writes for five minutes. */
const HOUR_WRITE = 1.6

/**
 * Returns all tokens as the equivalent of plain prompt tokens. Upstreams sometimes report more cached tokens than prompt tokens:
 * a part never counts for more than the rest of its whole.
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

/** Returns the price of image tokens beyond that of other prompt tokens. */
function imageSurplus({ imageRatio }: Price, { imagePromptTokens = 0 }: Usage, left: number): number {
  return imageRatio === undefined ? 0 : Math.min(count(imagePromptTokens), left) * (imageRatio - 1)
}

/** Returns the price of reasoning tokens beyond that of other completion tokens. */
function reasoningSurplus({ reasoningRatio, completionRatio }: Price, usage: Usage, left: number): number {
  if (reasoningRatio === undefined) return 0
  return Math.min(count(usage.reasoningTokens), left) * (reasoningRatio - completionRatio)
}

/** Returns a valid count: 0 for anything but a positive number. */
function count(tokens: number): number {
  return tokens > 0 ? Math.min(tokens, Number.MAX_SAFE_INTEGER) : 0
}

/** Rounds within the safe integers; returns 0 for negative numbers and NaN. */
function whole(exact: number, round: (exact: number) => number): number {
  return exact > 0 ? Math.max(0, Math.min(round(exact), Number.MAX_SAFE_INTEGER)) : 0
}

/**
 * The tolerance for a product of ratios: 0.1 × 500000 × 0.7 is 34999.999… in binary. Every rounding adds this toward the decimal
 * result; it grows with the number, like the error of a double.
 */
function noise(exact: number): number {
  return Math.max(1e-6, exact * 2 ** -50)
}

const roundDown = (exact: number) => Math.floor(exact + noise(exact))
const roundHalfUp = (exact: number) => Math.floor(exact + 0.5 + noise(exact))
const roundUp = (exact: number) => Math.ceil(exact - noise(exact))
