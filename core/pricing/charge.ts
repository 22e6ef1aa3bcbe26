import { BY_USAGE, type Price } from './price.ts'

/** Tokens of one relay. The cached, written, audio and reasoning counts are parts of the counts they stand under. */
export interface Usage {
  readonly promptTokens: number
  readonly completionTokens: number
  readonly cachedTokens: number
  readonly cacheWriteTokens: number
  /** The part of `cacheWriteTokens` that the cache keeps for an hour instead of five minutes. */
  readonly cacheWriteHourTokens: number
  readonly audioPromptTokens: number
  readonly audioCompletionTokens: number
  /** Costs what other completion tokens cost. */
  readonly reasoningTokens: number
}

/**
 * The quota a relay costs: an integer, never negative. A price per call is due whatever was used, cut to whole quota.
 * Tokens are summed at their ratios and rounded once, half up; whatever is not free costs at least 1.
 */
export function chargeQuota(price: Price, usage: Usage): number {
  if (price.modelPrice !== BY_USAGE) return perCall(price)
  const { weighted, used } = weigh(price, usage)
  const ratio = price.modelRatio * price.groupRatio
  const quota = whole(weighted * ratio, roundHalfUp)
  return quota === 0 && used && ratio !== 0 ? 1 : quota
}

/** The quota to set aside for that many tokens, rounded up: never less than `chargeQuota` of the same tokens. */
export function holdQuota(price: Price, estimate: { promptTokens: number; completionTokens: number }): number {
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
  const charge = chargeQuota(price, usage)
  if (price.modelPrice !== BY_USAGE) return charge
  const exact = weigh(price, usage).weighted * price.modelRatio * price.groupRatio
  return Math.max(charge, whole(exact, roundUp))
}

function perCall({ modelPrice, quotaPerUnit, groupRatio }: Price): number {
  return whole(modelPrice * quotaPerUnit * groupRatio, roundDown)
}

/** What an hour in the cache costs, in writes for five minutes. */
const HOUR_WRITE = 1.6

/**
 * All tokens in the worth of plain prompt tokens. Upstreams have been seen to report more cached tokens than prompt
 * tokens: a part never counts for more than what is left of its whole.
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
    audioCompletion * price.audioRatio * price.audioCompletionRatio
  return { weighted, used: prompt + completion > 0 }
}

/** A reported count as it may be trusted: what is not a positive number is nothing. */
function count(tokens: number): number {
  return tokens > 0 ? Math.min(tokens, Number.MAX_SAFE_INTEGER) : 0
}

/** Rounds within what an integer holds exactly; nonsense is 0. */
function whole(exact: number, round: (exact: number) => number): number {
  return exact > 0 ? Math.max(0, Math.min(round(exact), Number.MAX_SAFE_INTEGER)) : 0
}

/**
 * How far a product of ratios may be off from what it is on paper: 0.1 × 500000 × 0.7 is 34999.999… in binary. Every
 * rounding leans this far toward the paper's side; it grows with the number, as the error of a double does.
 */
function noise(exact: number): number {
  return Math.max(1e-6, exact * 2 ** -50)
}

const roundDown = (exact: number) => Math.floor(exact + noise(exact))
const roundHalfUp = (exact: number) => Math.floor(exact + 0.5 + noise(exact))
const roundUp = (exact: number) => Math.ceil(exact - noise(exact))
