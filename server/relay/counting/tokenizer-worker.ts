import { parentPort } from 'node:worker_threads'
import { countWithin } from './count-within.ts'

type Encoding = 'o200k_base' | 'cl100k_base'

/** Prose of this length takes a third of a second. */
const CHARACTERS_MAX = 1_000_000

/** Runs beside the server: counting a long text takes a while, and nobody else must wait for it. */
const loading: Partial<Record<Encoding, Promise<(text: string) => number>>> = {}

async function load(encoding: Encoding): Promise<(text: string) => number> {
  const { countTokens } =
    encoding === 'o200k_base'
      ? await import('gpt-tokenizer/encoding/o200k_base')
      : await import('gpt-tokenizer/encoding/cl100k_base')
  // Special tokens in somebody's text are text.
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
    loading[encoding] ??= load(encoding).catch((error) => {
      // A failed import stays failed in this thread: it ends, so that the next one can load the encoding.
      setImmediate(() => {
        throw error
      })
      throw error
    })
    const count = await loading[encoding]
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
