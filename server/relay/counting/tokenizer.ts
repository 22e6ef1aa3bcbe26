import { Worker } from 'node:worker_threads'
import { estimateTokens } from './estimate.ts'

/** Time after which a worker that has not replied is replaced. The time includes loading a vocabulary. */
const JOB_MS = 10_000
/** Maximum time that a count waits for the worker. After that, the tokens are estimated. */
const WAIT_MS = 10_000
/**
 * Maximum time of an exact count. After this time, the remaining text is estimated, because other counts wait.
 */
const COUNTING_MS = 2000
/** Maximum time of a free count. Counts for charges must not wait long for free counts. */
const FREE_COUNTING_MS = 300
/** Maximum time that a free count waits for other free counts. */
const FREE_WAIT_MS = 1000
/** Idle time after which the worker ends. Its vocabulary takes tens of megabytes. */
const IDLE_MS = 60_000

export interface Tokenizer {
  /**
   * Counts the tokens of texts for a model. Never fails: estimates a text that cannot be counted in time. `isFree`
   * means that the count is not for a charge. At most one free count is in the queue of the worker.
   */
  count(model: string, texts: readonly string[], options?: { isFree?: boolean }): Promise<number>
  close(): Promise<void>
}

/** Returns the vocabulary with which to count for a model. Models of other vendors use OpenAI's older vocabulary. */
function encodingOf(model: string): 'o200k_base' | 'cl100k_base' {
  return /^(gpt-4o|chatgpt-4o|gpt-4\.[1-9]|gpt-[5-9]|o\d|codex)/.test(model) ? 'o200k_base' : 'cl100k_base'
}

interface Job {
  readonly model: string
  readonly texts: readonly string[]
  readonly countingMs: number
}

interface JobResult {
  readonly id: number
  readonly tokens?: number
}

/** Creates a tokenizer that counts in a worker thread, because a prompt of 200 kB must not block other requests. */
export function createTokenizer(): Tokenizer {
  let worker: Worker | undefined
  let running: { id: number; done(tokens: number | undefined): void } | undefined
  // Jobs run one by one. Each job has its own timeout, so that a slow job does not make other jobs fail.
  let turn: Promise<unknown> = Promise.resolve()
  let freeTurn: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let idleTimer: NodeJS.Timeout | undefined
  let isClosed = false
  let nextId = 0

  function endWorker(): void {
    const endedWorker = worker
    worker = undefined
    clearTimeout(idleTimer)
    void endedWorker?.terminate()
    running?.done(undefined)
  }

  function start(): Worker {
    const newWorker = new Worker(new URL('./tokenizer-worker.js', import.meta.url))
    newWorker.unref()
    newWorker.on('message', ({ id, tokens }: JobResult) => running?.id === id && running.done(tokens))
    newWorker.on('error', () => worker === newWorker && endWorker())
    return newWorker
  }

  function run({ model, texts, countingMs }: Job): Promise<number | undefined> {
    clearTimeout(idleTimer)
    worker ??= start()
    const jobWorker = worker
    const id = nextId++
    return new Promise((resolve) => {
      const timer = setTimeout(endWorker, JOB_MS).unref()
      running = {
        id,
        done(tokens) {
          clearTimeout(timer)
          running = undefined
          resolve(tokens)
        },
      }
      jobWorker.postMessage({ id, encoding: encodingOf(model), texts, countingMs })
    })
  }

  async function runInTurn(job: Job): Promise<number | undefined> {
    const queuedAt = performance.now()
    waiting++
    const result = turn.then(() => (isClosed || performance.now() - queuedAt > WAIT_MS ? undefined : run(job)))
    turn = result.catch(() => {})
    try {
      return await result
    } finally {
      waiting--
    }
  }

  /** Runs free counts one by one, so that at most one is in the main queue. */
  function runInFreeTurn(job: Job): Promise<number | undefined> {
    const queuedAt = performance.now()
    const result = freeTurn.then(() => (performance.now() - queuedAt > FREE_WAIT_MS ? undefined : runInTurn(job)))
    freeTurn = result.catch(() => {})
    return result
  }

  return {
    async count(model, texts, { isFree = false } = {}) {
      if (texts.every((text) => text === '')) return 0
      const job = { model, texts, countingMs: isFree ? FREE_COUNTING_MS : COUNTING_MS }
      const tokenCount = await (isFree ? runInFreeTurn(job) : runInTurn(job))
      clearTimeout(idleTimer)
      if (waiting === 0) idleTimer = setTimeout(endWorker, IDLE_MS).unref()
      return tokenCount ?? texts.reduce((sum, text) => sum + estimateTokens(text), 0)
    },
    async close() {
      isClosed = true
      endWorker()
    },
  }
}
