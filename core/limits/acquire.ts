import { leastOf, type Want } from '../ledger/want.ts'
import type { Ready } from '../ready.ts'
import type { Counter, QueueEntry } from './counter.ts'
import type { Limiter } from './limiter.ts'

/** A request's usage of its limits: estimates, which are corrected at its end. */
export interface LimitUse {
  /** Prompt and output tokens. */
  readonly tokens: number
  /** Less is enough if `flexible` allows it. */
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
    /** For each counter, the amount and the start of the part of the window. */
    private readonly amounts: number[],
    private readonly starts: readonly number[],
  ) {}

  /** The quota granted by the windows: less than requested if they are nearly used up. */
  get quotaGranted(): number {
    let least = Number.POSITIVE_INFINITY
    for (let at = 0; at < this.counters.length; at++) {
      if (this.counters[at]?.measure === 'quota') least = Math.min(least, this.amounts[at] as number)
    }
    return least
  }

  /** Takes more quota for a stream that runs longer than estimated. Resolves with `false` if a window has too little left. */
  async extend(quota: number): Promise<boolean> {
    const extended: number[] = []
    for (const [at, counter] of this.counters.entries()) {
      const start = this.starts[at] as number
      // A stream's usage after the end of its window is counted when it ends.
      if (counter.measure !== 'quota' || counter.start !== start) continue
      const isTaken =
        counter.take(quota, performance.now()) || (await this.limiter.requestShare(counter, { quota })) !== undefined
      if (isTaken && counter.start === start && this.isOpen) {
        this.amounts[at] = (this.amounts[at] as number) + quota
        extended.push(at)
        continue
      }
      if (isTaken) counter.correct(quota, counter.start)
      else {
        for (const taken of extended) {
          this.amounts[taken] = (this.amounts[taken] as number) - quota
          this.counters[taken]?.correct(quota, this.starts[taken] as number)
        }
        return false
      }
    }
    return true
  }

  /** Records the usage; without it, a request counts only as a request. */
  used({ tokens, quota }: { tokens: number; quota: number }): void {
    this.tokens = tokens
    this.quota = quota
  }

  /** Ends the request once: it stops counting as concurrent, and its recorded usage replaces the estimates. */
  end(): void {
    if (!this.isOpen) return
    this.isOpen = false
    for (let at = 0; at < this.counters.length; at++) {
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

/** Whether the client of a queued request has disconnected. */
export interface Queued {
  isGone(): boolean
}

/** The full limit that rejected a request. Carries the counter for the error text. */
export class LimitReached extends Error {
  constructor(readonly counter: Counter) {
    super('limit reached')
  }
}

/** Returns the amount that one limit counts for a request: tokens at most the whole limit. */
function amountOf({ measure, amount }: Counter, { tokens, quota }: LimitUse): number {
  if (measure === 'quota') return quota.quota
  return measure === 'tokens' ? Math.min(tokens, amount) : 1
}

/**
 * Takes a request's parts of all its limits, or nothing. Not a promise if all of it is in memory. Throws LimitReached, or rejects
 * with it, if a limit is still full after queueing; rejects with DATABASE_UNAVAILABLE if a limit fails closed.
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
  /** By the index of the counter; absent: not taken yet. */
  readonly amounts: (number | undefined)[]
  readonly starts: (number | undefined)[]
}

/** How often a queued request checks again: other processes release too. */
const AGAIN_MS = 50
const QUEUE_MAX = 1000

async function acquireSlowly(limiter: Limiter, acquisition: Acquisition): Promise<LimitHold> {
  const { counters, queued, amounts, starts } = acquisition
  const startedMs = performance.now()
  const entry: QueueEntry = { wake: undefined }
  let joined: Counter | undefined
  try {
    for (;;) {
      const full: Counter | undefined = await takeRest(limiter, acquisition, entry)
      if (!full) return new LimitHold(limiter, counters, amounts as number[], starts as number[])
      giveBackTaken(limiter, acquisition)
      const { action, wait_seconds } = full.limit
      const endsAtMs = startedMs + wait_seconds * 1000
      if (!queued || action !== 'queue' || full.queued >= QUEUE_MAX) throw new LimitReached(full)
      if (joined !== full) {
        joined?.leave(entry)
        joined = full
        joined.join(entry)
      }
      do {
        const leftMs = endsAtMs - performance.now()
        if (leftMs <= 0 || queued.isGone()) throw new LimitReached(full)
        await woken(entry, Math.min(AGAIN_MS, leftMs))
      } while (isBehind(full, entry))
    }
  } catch (error) {
    giveBackTaken(limiter, acquisition)
    throw error
  } finally {
    joined?.leave(entry)
    if (joined) wakeFirst(joined)
  }
}

function woken(entry: QueueEntry, ms: number): Promise<void> {
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

/** Takes all missing parts: one database transaction serves all limits that memory cannot. Returns a limit that is full. */
async function takeRest(
  limiter: Limiter,
  { counters, use, amounts, starts }: Acquisition,
  entry: QueueEntry,
): Promise<Counter | undefined> {
  let full: Counter | undefined
  const asking: Promise<void>[] = []
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
    else asking.push(limiter.requestShare(counter, want).then(note))
    if (full) break
  }
  // Wait for all: parts granted after a failure must be given back too.
  const answers = await Promise.allSettled(asking)
  for (const answer of answers) if (answer.status === 'rejected') throw answer.reason
  return full
}

/** Gives back all parts: a rejected request does not count. */
function giveBackTaken(limiter: Limiter, { counters, amounts, starts }: Acquisition): void {
  for (const [at, counter] of counters.entries()) {
    const amount = amounts[at]
    if (amount === undefined) continue
    counter.correct(amount, starts[at] as number)
    limiter.touch(counter)
    wakeFirst(counter)
  }
  amounts.length = 0
  starts.length = 0
}
