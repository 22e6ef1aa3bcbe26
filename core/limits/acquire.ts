import { leastOf, type Want } from '../ledger/want.ts'
import type { Ready } from '../ready.ts'
import type { Counter, QueueEntry } from './counter.ts'
import type { Limiter } from './limiter.ts'

/** The estimated usage of a request. When the request ends, its real usage replaces the estimate. */
export interface LimitUse {
  /** Prompt and output tokens. */
  readonly tokens: number
  /** The wanted quota. Limits may grant less if the `Want` permits it. */
  readonly quota: Want
}

/** The amounts that one request has taken from its limits. */
export class LimitHold {
  private isOpen = true
  private tokens = 0
  private quota = 0

  constructor(
    private readonly limiter: Limiter,
    readonly counters: readonly Counter[],
    /** For each counter, the amount that was taken. */
    private readonly amounts: (number | undefined)[],
    /** For each counter, the start of the part of the window from which the amount was taken. */
    private readonly starts: readonly (number | undefined)[],
  ) {}

  /** The quota that the windows granted. It may be less than requested. Infinite if there is no limit of quota. */
  get quotaGranted(): number {
    let least = Number.POSITIVE_INFINITY
    for (let at = 0; at < this.counters.length; at++) {
      if (this.counters[at]?.measure === 'quota') least = Math.min(least, this.amounts[at] as number)
    }
    return least
  }

  /** Takes more quota for a stream that runs longer than estimated. Resolves to `false` if a window lacks it. */
  async extend(quota: number): Promise<boolean> {
    const extended: { at: number; counter: Counter; start: number }[] = []
    for (const [at, counter] of this.counters.entries()) {
      const start = this.starts[at]
      // If this part of the window has ended, the stream's usage is only counted when the stream ends.
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

  /** Records the usage of the request. Without this call, `end` assumes 0 tokens and quota. */
  reportUsage({ tokens, quota }: { tokens: number; quota: number }): void {
    this.tokens = tokens
    this.quota = quota
  }

  /** Ends the request. It no longer counts as concurrent, and its recorded usage replaces the estimates. */
  end(): void {
    if (!this.isOpen) return
    this.isOpen = false
    for (let at = 0; at < this.counters.length; at++) {
      // Each request runs this loop, so it does not check for missing entries.
      const counter = this.counters[at] as Counter
      const { measure } = counter
      if (measure === 'requests') continue
      const used = measure === 'tokens' ? this.tokens : measure === 'quota' ? this.quota : 0
      counter.correct((this.amounts[at] as number) - used, this.starts[at] as number)
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

/** Thrown if a limit rejects a request. `counter` is the full counter, for the error text. */
export class LimitReached extends Error {
  constructor(readonly counter: Counter) {
    super('limit reached')
  }
}

/**
 * Returns the amount that one limit counts for a request. More tokens than the limit's amount count as this amount, so
 * that the request is possible.
 */
function amountOf({ measure, amount }: Counter, { tokens, quota }: LimitUse): number {
  if (measure === 'quota') return quota.quota
  return measure === 'tokens' ? Math.min(tokens, amount) : 1
}

/**
 * Takes amounts from all limits of a request, or from none. Returns the hold itself if this process has enough of each
 * limit in memory, otherwise a promise. Rejects with LimitReached if a limit is full. If the limit queues requests and
 * `queued` is given, rejects only after `wait_seconds`. Rejects with DATABASE_UNAVAILABLE if the database is
 * unavailable and a limit fails closed.
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
  /** The taken amounts by the index of the counter. Undefined if nothing was taken yet. */
  readonly amounts: (number | undefined)[]
  /** For each taken amount, the start of the part of the window. Undefined if nothing was taken yet. */
  readonly starts: (number | undefined)[]
}

/** Interval at which a queued request checks its limits, because other processes cannot wake it. */
const RECHECK_MS = 50
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
        await waitForWake(entry, Math.min(RECHECK_MS, leftMs))
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

/** Makes the first request in a queue check its limits again. */
function wakeFirst({ firstQueued }: Counter): void {
  firstQueued?.wake?.()
}

function isBehind({ firstQueued }: Counter, entry: QueueEntry): boolean {
  return firstQueued !== undefined && firstQueued !== entry
}

/**
 * Takes all amounts that are still missing. One database transaction serves all limits for which memory has too little.
 * Returns a full limit, or undefined if everything was taken.
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
    const record = (granted: number | undefined) => {
      if (granted === undefined) full ??= counter
      else {
        amounts[at] = granted
        starts[at] = counter.start
      }
    }
    if (isBehind(counter, entry)) full ??= counter
    else if (counter.take(want.quota, nowMs)) record(want.quota)
    else if (counter.isFull(leastOf(want), nowMs)) full ??= counter
    else pendingShares.push(limiter.requestShare(counter, want).then(record))
    if (full) break
  }
  // Wait for all replies, because amounts that are granted after a failure must also be given back.
  const results = await Promise.allSettled(pendingShares)
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return full
}

/** Gives back all taken amounts, because a rejected or waiting request does not count. */
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
