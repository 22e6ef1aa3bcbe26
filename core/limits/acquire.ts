import { leastOf, type Want } from '../ledger/want.ts'
import type { Ready } from '../ready.ts'
import type { Counter, QueueEntry } from './counter.ts'
import type { Limiter } from './limiter.ts'

/** The estimated usage of a request. It is corrected when the request ends. */
export interface LimitUse {
  /** Prompt and output tokens. */
  readonly tokens: number
  /** The quota. If it is flexible, less is enough. */
  readonly quota: Want
}

/** The parts of limits that a request has taken. */
export class LimitHold {
  private isOpen = true
  private tokens = 0
  private quota = 0

  constructor(
    private readonly limiter: Limiter,
    readonly counters: readonly Counter[],
    /** For each counter, the amount that was taken. */
    private readonly amounts: (number | undefined)[],
    /** For each counter, the start of the part of the window in which the amount was taken. */
    private readonly starts: readonly (number | undefined)[],
  ) {}

  /** The quota that the windows granted; infinite without a limit of quota. It can be less than requested. */
  get quotaGranted(): number {
    let least = Number.POSITIVE_INFINITY
    for (let at = 0; at < this.counters.length; at++) {
      if (this.counters[at]?.measure === 'quota') least = Math.min(least, this.amounts[at] ?? 0)
    }
    return least
  }

  /** Takes more quota for a stream that runs longer than estimated. Resolves with `false` if a window has too little left. */
  async extend(quota: number): Promise<boolean> {
    const extended: { at: number; counter: Counter; start: number }[] = []
    for (const [at, counter] of this.counters.entries()) {
      const start = this.starts[at]
      // If the part of the window has ended, the stream's usage is counted when the stream ends.
      if (counter.measure !== 'quota' || counter.start !== start) continue
      const isTaken =
        counter.take(quota, performance.now()) || (await this.limiter.requestShare(counter, { quota })) !== undefined
      if (isTaken && counter.start === start && this.isOpen) {
        this.amounts[at] = (this.amounts[at] ?? 0) + quota
        extended.push({ at, counter, start })
        continue
      }
      if (isTaken) counter.correct(quota, counter.start)
      else {
        for (const taken of extended) {
          this.amounts[taken.at] = (this.amounts[taken.at] ?? 0) - quota
          taken.counter.correct(quota, taken.start)
        }
        return false
      }
    }
    return true
  }

  /** Records the usage. Without this call, `end` sets tokens and quota to 0. */
  used({ tokens, quota }: { tokens: number; quota: number }): void {
    this.tokens = tokens
    this.quota = quota
  }

  /**
   * Ends the request: it no longer counts as concurrent, and its recorded usage replaces the estimates. Later calls do nothing.
   */
  end(): void {
    if (!this.isOpen) return
    this.isOpen = false
    for (let at = 0; at < this.counters.length; at++) {
      const counter = this.counters[at]
      const start = this.starts[at]
      if (!counter || start === undefined || counter.measure === 'requests') continue
      const { measure } = counter
      const used = measure === 'tokens' ? this.tokens : measure === 'quota' ? this.quota : 0
      counter.correct((this.amounts[at] ?? 0) - used, start)
      if (counter.queued > 0) wakeFirst(counter)
      if (counter.used > counter.size) this.limiter.scheduleWrite(counter)
      else this.limiter.touch(counter)
    }
  }
}

/** A request that may wait in a queue. */
export interface Queued {
  /** Whether the client has disconnected. */
  isGone(): boolean
}

/** Thrown if a limit rejects a request. `counter`: the full counter, for the error text. */
export class LimitReached extends Error {
  constructor(readonly counter: Counter) {
    super('limit reached')
  }
}

/** Returns the amount that one limit counts for a request. Tokens are at most the amount of the limit. */
function amountOf({ measure, amount }: Counter, { tokens, quota }: LimitUse): number {
  if (measure === 'quota') return quota.quota
  return measure === 'tokens' ? Math.min(tokens, amount) : 1
}

/**
 * Takes a request's parts of all its limits, or none of them. Returns the hold itself if this process has enough of each limit in
 * memory, otherwise a promise. Rejects with LimitReached if a limit is full (after the wait, if its requests queue), and with
 * DATABASE_UNAVAILABLE if the database is unavailable and a limit fails closed. Without `queued`, the request does not wait.
 */
export function acquire(
  limiter: Limiter,
  counters: readonly Counter[],
  use: LimitUse,
  queued: Queued | undefined,
): Ready<LimitHold> {
  const nowMs = performance.now()
  const amounts = new Array<number>(counters.length)
  const starts = new Array<number>(counters.length)
  for (let at = 0; at < counters.length; at++) {
    const counter = counters[at] as Counter
    const amount = amountOf(counter, use)
    if (counter.queued > 0 || !counter.take(amount, nowMs)) {
      return acquireSlowly(limiter, { counters, use, queued, amounts, starts })
    }
    limiter.touch(counter)
    amounts[at] = amount
    starts[at] = counter.start
  }
  return new LimitHold(limiter, counters, amounts, starts)
}

interface Acquisition {
  readonly counters: readonly Counter[]
  readonly use: LimitUse
  readonly queued: Queued | undefined
  /** The taken amounts by the index of the counter; undefined: not taken yet. */
  readonly amounts: (number | undefined)[]
  /** The starts of the parts of windows, likewise. */
  readonly starts: (number | undefined)[]
}

/** How often a queued request checks its limits, because other processes also release amounts. */
const AGAIN_MS = 50
const QUEUE_MAX = 1000

async function acquireSlowly(limiter: Limiter, acquisition: Acquisition): Promise<LimitHold> {
  const { counters, queued, amounts, starts } = acquisition
  const startedMs = performance.now()
  const entry: QueueEntry = { wake: undefined }
  let joinedQueue: Counter | undefined
  try {
    for (;;) {
      const full: Counter | undefined = await takeMissing(limiter, acquisition, entry)
      if (!full) return new LimitHold(limiter, counters, amounts, starts)
      giveBackTaken(limiter, acquisition)
      const { action, wait_seconds } = full.limit
      const endsAtMs = startedMs + wait_seconds * 1000
      if (!queued || action !== 'queue' || full.queued >= QUEUE_MAX) throw new LimitReached(full)
      if (joinedQueue !== full) {
        joinedQueue?.leave(entry)
        joinedQueue = full
        joinedQueue.join(entry)
      }
      do {
        const leftMs = endsAtMs - performance.now()
        if (leftMs <= 0 || queued.isGone()) throw new LimitReached(full)
        await waitForWake(entry, Math.min(AGAIN_MS, leftMs))
      } while (isBehind(full, entry))
    }
  } catch (error) {
    giveBackTaken(limiter, acquisition)
    throw error
  } finally {
    joinedQueue?.leave(entry)
    if (joinedQueue) wakeFirst(joinedQueue)
  }
}

function waitForWake(entry: QueueEntry, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    entry.wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}

/** Makes the first request in a queue check again after a release. */
export function wakeFirst({ firstQueued }: Counter): void {
  firstQueued?.wake?.()
}

function isBehind({ firstQueued }: Counter, entry: QueueEntry): boolean {
  return firstQueued !== undefined && firstQueued !== entry
}

/**
 * Takes all missing parts. One database transaction serves all limits that memory cannot serve. Returns a full limit, or
 * undefined if all parts were taken.
 */
async function takeMissing(
  limiter: Limiter,
  { counters, use, amounts, starts }: Acquisition,
  entry: QueueEntry,
): Promise<Counter | undefined> {
  let full: Counter | undefined
  const pendingShares: Promise<void>[] = []
  for (const [at, counter] of counters.entries()) {
    if (amounts[at] !== undefined) continue
    const want = counter.measure === 'quota' ? use.quota : { quota: amountOf(counter, use) }
    const nowMs = performance.now()
    limiter.touch(counter)
    const note = (granted: number | undefined) => {
      if (granted === undefined) full ??= counter
      else {
        amounts[at] = granted
        starts[at] = counter.start
      }
    }
    if (isBehind(counter, entry)) full ??= counter
    else if (counter.take(want.quota, nowMs)) note(want.quota)
    else if (counter.isFull(leastOf(want), nowMs)) full ??= counter
    else pendingShares.push(limiter.requestShare(counter, want).then(note))
    if (full) break
  }
  // Wait for all replies: parts that are granted after a failure must be given back too.
  const results = await Promise.allSettled(pendingShares)
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return full
}

/** Gives back all taken parts, because a rejected or waiting request does not count. */
function giveBackTaken(limiter: Limiter, { counters, amounts, starts }: Acquisition): void {
  for (const [at, counter] of counters.entries()) {
    const amount = amounts[at]
    const start = starts[at]
    if (amount === undefined || start === undefined) continue
    counter.correct(amount, start)
    limiter.touch(counter)
    wakeFirst(counter)
  }
  amounts.length = 0
  starts.length = 0
}
