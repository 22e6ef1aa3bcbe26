import { GatewayError } from '../../../core/errors.ts'
import type { Hold } from '../../../core/ledger/charge.ts'
import type { Ledger } from '../../../core/ledger/ledger.ts'
import { BY_USAGE, holdQuota, type Price } from '../../../core/pricing/prices.ts'
import { estimateTokens } from '../counting/estimate.ts'
import type { Interruption } from '../delivery/interruption.ts'
import type { Meter } from './meter.ts'

/** Number of tokens by which a hold is extended ahead of the output. */
const STEP_TOKENS = 1000

/** Extends the hold of a running stream. */
export interface HoldExtender {
  /** Extends the hold if the output needs more quota. If the quota is used up, aborts the relay. */
  onProgress(): Promise<void> | undefined
  /** Whether the current hold covers the output so far. */
  isCovered(): boolean
}

/** Creates an extender that keeps a stream's hold ahead of its output, so that the output does not exceed the quota. */
export function holdExtender({
  ledger,
  hold,
  price,
  meter,
  coveredTokens,
  interruption,
}: {
  ledger: Ledger
  hold: Hold
  price: Price
  meter: Meter
  coveredTokens: number
  interruption: Pick<Interruption, 'abort'>
}): HoldExtender {
  /** Output tokens that the hold covers now. `coveredTokens` is the number at the start. */
  let tokensCovered = coveredTokens
  let stepTokens = STEP_TOKENS

  const cover = async (tokens: number): Promise<void> => {
    await ledger.extend(hold, holdQuota(price, { promptTokens: 0, completionTokens: tokens }))
    tokensCovered += tokens
  }

  /**
   * Holds quota for the uncovered output and, if possible, for `stepTokens` more. If the quota does not cover the
   * output, aborts the relay.
   */
  async function extend(uncovered: number): Promise<void> {
    try {
      if (stepTokens > 0) return await cover(uncovered + stepTokens)
    } catch (error) {
      if (!isShortage(error)) throw error
      stepTokens = Math.floor(stepTokens / 2)
    }
    try {
      await cover(uncovered)
    } catch (error) {
      if (!isShortage(error)) throw error
      interruption.abort('quota')
    }
  }

  // A token has about one character or more. So no count is needed until the text has as many characters as the hold
  // covers tokens.
  let nextCountLength = tokensCovered
  /** Returns the output tokens that the hold does not cover. */
  function countUncovered(): number {
    if (meter.textLength < nextCountLength) return 0
    const produced = estimateTokens(meter.text)
    nextCountLength = meter.textLength + Math.max(0, tokensCovered - produced)
    return Math.max(0, produced - tokensCovered)
  }

  return {
    onProgress() {
      const uncovered = countUncovered()
      return uncovered === 0 ? undefined : extend(uncovered)
    },
    isCovered: () => countUncovered() === 0,
  }
}

const isShortage = (error: unknown): boolean => error instanceof GatewayError && error.kind === 'insufficient'

/**
 * Creates a function for a meter. The created function extends the hold if needed, and resolves to whether the hold
 * covers the output.
 */
export type Coverage = (meter: Meter) => () => Promise<boolean>

/**
 * Returns the coverage for a stream that is read to its end before the client gets anything. If the quota is used up,
 * the created function resolves to false and does not abort the relay.
 */
export function coverageOf(parts: Omit<Parameters<typeof holdExtender>[0], 'meter' | 'interruption'>): Coverage {
  return (meter) => {
    let covers = true
    const interruption = {
      abort() {
        covers = false
      },
    }
    const extend = parts.price.modelPrice === BY_USAGE ? holdExtender({ ...parts, meter, interruption }) : undefined
    return async () => {
      await extend?.onProgress()
      return covers
    }
  }
}
