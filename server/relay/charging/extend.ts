import { GatewayError } from '../../../core/errors.ts'
import type { Hold } from '../../../core/ledger/charge.ts'
import type { Ledger } from '../../../core/ledger/ledger.ts'
import { BY_USAGE, holdQuota, type Price } from '../../../core/pricing/prices.ts'
import { estimateTokens } from '../counting/estimate.ts'
import type { Interruption } from '../delivery/interruption.ts'
import type { Meter } from './meter.ts'

const STEP_TOKENS = 1000

/** The hold of a stream that runs. */
export interface HoldExtender {
  /** Called after each batch of events; the relay is cut when nothing is left to hold. */
  onProgress(): Promise<void> | undefined
  /** Whether the hold, as it is, covers what was produced. */
  isCovered(): boolean
}

/**
 * Keeps a stream's hold ahead of what it has produced: a client that set no limit cannot run further than its quota
 * reaches.
 */
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
  interruption: Pick<Interruption, 'cut'>
}): HoldExtender {
  let covered = coveredTokens
  let step = STEP_TOKENS

  const cover = async (tokens: number): Promise<void> => {
    await ledger.extend(hold, holdQuota(price, { promptTokens: 0, completionTokens: tokens }))
    covered += tokens
  }

  /** All that is not covered yet is held, since an upstream may say much at a time; and a step ahead of it, while there is one. */
  async function extend(uncovered: number): Promise<void> {
    try {
      if (step > 0) return await cover(uncovered + step)
    } catch (error) {
      if (!isShortage(error)) throw error
      step = Math.floor(step / 2)
    }
    try {
      await cover(uncovered)
    } catch (error) {
      if (!isShortage(error)) throw error
      interruption.cut('quota')
    }
  }

  // A token has at least one character or so: before that many more characters, nothing needs counting.
  let lookAt = covered
  /** Tokens that were produced and are not covered. */
  function countUncovered(): number {
    if (meter.textLength <= lookAt) return 0
    const produced = estimateTokens(meter.text)
    lookAt = meter.textLength + Math.max(0, covered - produced)
    return Math.max(0, produced - covered)
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

/** Whether the hold still covers what a meter has counted; it grows as far as there is quota. */
export type Coverage = (meter: Meter) => () => Promise<boolean>

/** For streams that are read to their end before the client gets anything: they end when nothing is left to hold. */
export function coverageOf(parts: Omit<Parameters<typeof holdExtender>[0], 'meter' | 'interruption'>): Coverage {
  return (meter) => {
    let covers = true
    const interruption = {
      cut() {
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
