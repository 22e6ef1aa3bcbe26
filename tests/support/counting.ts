import { beforeAll } from 'vitest'
import type { Tokenizer } from '../../server/relay/counting/tokenizer.ts'

const BUILT = '../../dist/server/relay/counting/tokenizer.js'

let built: Promise<Tokenizer> | undefined
let inEarnest = false

/**
 * For the top of a file whose gateways count tokens that nobody reported; elsewhere they are estimated. Counting happens in a
 * worker thread, which needs the built file. To read a vocabulary takes longer than most tests: all gateways share one worker.
 */
export function countInEarnest(): void {
  beforeAll(() => {
    inEarnest = true
    return () => {
      inEarnest = false
    }
  })
}

/** What the gateways of this file count with; undefined where they may estimate. */
export function tokenizerOfFile(): Tokenizer | undefined {
  if (!inEarnest) return undefined
  built ??= import(BUILT).then(({ createTokenizer }) => createTokenizer())
  const tokenizer = built
  return { count: async (...asked) => (await tokenizer).count(...asked), close: async () => {} }
}
