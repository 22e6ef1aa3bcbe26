import { Worker } from 'node:worker_threads'
import { estimateTokens } from './prompt.ts'

/** Longer than this and the estimate must do: some texts make any tokenizer slow. */
const TIMEOUT_MS = 20_000
/** The vocabulary takes tens of megabytes: it goes when nobody needed it for a while. */
const IDLE_MS = 60_000
/** A run of one character is where byte-pair encoding turns quadratic; real prompts have none this long. */
const RUN_LENGTH_MAX = 2000
const LONG_RUN = new RegExp(`([^\\s])\\1{${RUN_LENGTH_MAX}}`)

export interface Tokenizer {
  /** Tokens of the texts for a model. Never fails: what cannot be counted in time is estimated. */
  count(model: string, texts: readonly string[]): Promise<number>
  close(): Promise<void>
}

/** Which vocabulary counts for a model; other vendors' models are counted with the older one. */
export function encodingOf(model: string): 'o200k_base' | 'cl100k_base' {
  return /^(gpt-4o|chatgpt-4o|gpt-4\.[1-9]|gpt-[5-9]|o\d|codex)/.test(model) ? 'o200k_base' : 'cl100k_base'
}

/** Counts in a worker thread, started when first needed: a 200 kB prompt must not stall other requests. */
export function createTokenizer(): Tokenizer {
  const waiting = new Map<number, (tokens: number | undefined) => void>()
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let next = 0

  function drop(): void {
    const gone = worker
    worker = undefined
    clearTimeout(idle)
    void gone?.terminate()
    for (const done of waiting.values()) done(undefined)
    waiting.clear()
  }

  function start(): Worker {
    const started = new Worker(new URL('./tokenizer-worker.js', import.meta.url))
    started.unref()
    started.on('message', ({ id, tokens }: { id: number; tokens?: number }) => waiting.get(id)?.(tokens))
    started.on('error', () => worker === started && drop())
    return started
  }

  return {
    async count(model, texts) {
      const estimate = () => texts.reduce((sum, text) => sum + estimateTokens(text), 0)
      if (texts.every((text) => text === '')) return 0
      if (texts.some((text) => LONG_RUN.test(text))) return estimate()
      worker ??= start()
      const id = next++
      const counted = await new Promise<number | undefined>((resolve) => {
        const timer = setTimeout(drop, TIMEOUT_MS).unref()
        waiting.set(id, (tokens) => {
          clearTimeout(timer)
          waiting.delete(id)
          resolve(tokens)
        })
        worker?.postMessage({ id, encoding: encodingOf(model), texts })
      })
      clearTimeout(idle)
      idle = setTimeout(() => waiting.size === 0 && drop(), IDLE_MS).unref()
      return counted ?? estimate()
    },
    async close() {
      drop()
    },
  }
}
