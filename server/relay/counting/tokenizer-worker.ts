import { parentPort } from 'node:worker_threads'
import { countWithin } from './count-within.ts'

type Encoding = 'o200k_base' | 'cl100k_base'

/** Maximum characters that are counted exactly. Counting prose of this length takes a third of a second. */
const CHARACTERS_MAX = 1_000_000

/**
 * Counting functions by encoding. They are loaded on first use. This module runs in a worker thread, because counting a
 * long text would block other requests.
 */
const countersByEncoding: Partial<Record<Encoding, Promise<(text: string) => number>>> = {}

async function load(encoding: Encoding): Promise<(text: string) => number> {
  const { countTokens } =
    encoding === 'o200k_base'
      ? await import('gpt-tokenizer/encoding/o200k_base')
      : await import('gpt-tokenizer/encoding/cl100k_base')
  // Treat the names of special tokens in a text as ordinary text.
  return (text) => countTokens(text, { disallowedSpecial: new Set() })
}

interface Job {
  id: number
  encoding: Encoding
  texts: string[]
  countingMs: number
}

parentPort?.on('message', async ({ id, encoding, texts, countingMs }: Job) => {
  try {
    countersByEncoding[encoding] ??= load(encoding).catch((error) => {
      // End the thread, because a failed import fails again in the same thread.
      setImmediate(() => {
        throw error
      })
      throw error
    })
    const count = await countersByEncoding[encoding]
    const bounds = {
      charactersMax: CHARACTERS_MAX,
      deadline: performance.now() + countingMs,
      now: () => performance.now(),
    }
    parentPort?.postMessage({ id, tokens: countWithin(texts, count, bounds) })
  } catch (error) {
    parentPort?.postMessage({ id, failure: String(error) })
  }
})
