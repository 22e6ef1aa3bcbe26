import { Worker } from 'node:worker_threads'
import { estimateTokens } from './estimate.ts'

/** A worker that has not replied by then is replaced; its own limit is far lower. Includes the time to load a vocabulary. */
const JOB_MS = 10_000
/** Counts that wait longer for the worker are estimated. */
const WAIT_MS = 10_000
/** Time limit of an exact count; the rest is estimated. Some texts are slow however they are split, and other counts wait. */
const COUNTING_MS = 2000
/** The limits of free counts: their counting time, and their wait for other free counts. Charges must not wait for them. */
const FREE_COUNTING_MS = 300
const FREE_WAIT_MS = 1000
/** The vocabulary takes tens of megabytes, so it is freed after this idle time. */
const IDLE_MS = 60_000

export interface Tokenizer {
  /**
   * Counts the tokens of the texts for a model. Never fails: estimates what cannot be counted in time. `isFree`: nothing is
   * charged for the count; at most one free count at a time delays others.
   */
  count(model: string, texts: readonly string[], options?: { isFree?: boolean }): Promise<number>
  close(): Promise<void>
}

/** Returns the vocabulary of a model; models of other vendors use the older one. */
export function encodingOf(model: string): 'o200k_base' | 'cl100k_base' {
  return /^(gpt-4o|chatgpt-4o|gpt-4\.[1-9]|gpt-[5-9]|o\d|codex)/.test(model) ? 'o200k_base' : 'cl100k_base'
}

interface Job {
  readonly model: string
  readonly texts: readonly string[]
  readonly countingMs: number
}

interface Counted {
  readonly id: number
  readonly tokens?: number
}

/** Counts in a worker thread, started on first use: a 200 kB prompt must not stall other requests. */
export function createTokenizer(): Tokenizer {
  let worker: Worker | undefined
  let running: { id: number; done(tokens: number | undefined): void } | undefined
  // Runs jobs one by one, each with its own timeout: a slow one does not fail the others.
  let turn: Promise<unknown> = Promise.resolve()
  let freeTurn: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let idle: NodeJS.Timeout | undefined
  let closed = false
  let next = 0

  function drop(): void {
    const gone = worker
    worker = undefined
    clearTimeout(idle)
    void gone?.terminate()
    running?.done(undefined)
  }

  function start(): Worker {
    const started = new Worker(new URL('./tokenizer-worker.js', import.meta.url))
    started.unref()
    started.on('message', ({ id, tokens }: Counted) => running?.id === id && running.done(tokens))
    started.on('error', () => worker === started && drop())
    return started
  }

  function run({ model, texts, countingMs }: Job): Promise<number | undefined> {
    clearTimeout(idle)
    worker ??= start()
    const asked = worker
    const id = next++
    return new Promise((resolve) => {
      const timer = setTimeout(drop, JOB_MS).unref()
      running = {
        id,
        done(tokens) {
          clearTimeout(timer)
          running = undefined
          resolve(tokens)
        },
      }
      asked.postMessage({ id, encoding: encodingOf(model), texts, countingMs })
    })
  }

  async function inTurn(job: Job): Promise<number | undefined> {
    const since = performance.now()
    waiting++
    const mine = turn.then(() => (closed || performance.now() - since > WAIT_MS ? undefined : run(job)))
    turn = mine.catch(() => {})
    try {
      return await mine
    } finally {
      waiting--
    }
  }

  /** Runs free counts one by one, so that only one at a time is in the main queue. */
  function inFreeTurn(job: Job): Promise<number | undefined> {
    const since = performance.now()
    const mine = freeTurn.then(() => (performance.now() - since > FREE_WAIT_MS ? undefined : inTurn(job)))
    freeTurn = mine.catch(() => {})
    return mine
  }

  return {
    async count(model, texts, { isFree = false } = {}) {
      if (texts.every((text) => text === '')) return 0
      const job = { model, texts, countingMs: isFree ? FREE_COUNTING_MS : COUNTING_MS }
      const counted = await (isFree ? inFreeTurn(job) : inTurn(job))
      clearTimeout(idle)
      if (waiting === 0) idle = setTimeout(drop, IDLE_MS).unref()
      return counted ?? texts.reduce((sum, text) => sum + estimateTokens(text), 0)
    },
    async close() {
      closed = true
      drop()
    },
  }
}
