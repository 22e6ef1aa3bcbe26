import { beforeAll } from 'vitest'
import { estimateTokens } from '../../server/relay/counting/estimate.ts'
import type { Tokenizer } from '../../server/relay/counting/tokenizer.ts'

const BUILT = '../../dist/server/relay/counting/tokenizer.js'

let built: Promise<Tokenizer> | undefined
let inEarnest = false

/**
 * Call this at the top of a file whose gateways count unreported tokens; others estimate them. Counting runs in a worker
 * thread, which needs the built file. All gateways share a worker, because loading a vocabulary takes longer than most
 * tests.
 */
export function countInEarnest(): void {
  beforeAll(() => {
    inEarnest = true
    return () => {
      inEarnest = false
    }
  })
}

/** Estimates, without a thread. The thread would fail for each count without the built file. */
const ESTIMATES: Tokenizer = {
  count: async (_, texts) => texts.reduce((sum, text) => sum + estimateTokens(text), 0),
  close: async () => {},
}

/** Returns the tokenizer for this file's gateways. */
export function tokenizerOfFile(): Tokenizer {
  if (!inEarnest) return ESTIMATES
  built ??= import(BUILT).then(({ createTokenizer }) => createTokenizer())
  const tokenizer = built
  return { count: async (...asked) => (await tokenizer).count(...asked), close: async () => {} }
}
