import type { Want } from '../ledger/want.ts'
import type { ShareReply, ShareRequest } from './exchange.ts'
import type { CountedLimit } from './limit.ts'

/** A request that waits for its part of a limit. */
export interface Waiting {
  readonly want: Want
  readonly resolve: (granted: number | undefined) => void
  readonly reject: (reason: unknown) => void
}

/** How long a full counter rejects without another query, so that rejected requests do not query the database each. */
const FULL_MS = 50
/** A share used up faster than this is doubled at the next refill, in milliseconds: every refill is a transaction. */
const SOON_MS = 1000
/** The next part of a window is expected to need up to this many times the amount of the last one. */
const HEADROOM = 1.25
/** A shorter part does not show the need: this process's clock may run ahead of the database's. */
const PART_MS_MIN = 50

/**
 * This process's share of one limit's count: the amount taken of the current window (`size`), and the part that requests use
 * (`used`). `used` above `size` is owed: requests used it before the database was queried. Times are of the monotonic clock.
 */
export class Counter {
  size = 0
  used = 0
  /** The part of the window in which `size` was taken, by the database's clock; its end by the monotonic one. */
  start = -1
  endsAtMs = 0
  /** The epoch under which concurrent requests were counted. */
  nodeId = ''
  readonly waiting: Waiting[] = []
  /** Queued requests in order. */
  readonly queue = new Set<{ wake: (() => void) | undefined }>()
  returns = new Map<number, number>()
  isBusy = false
  /** Its limit was removed: its amounts no longer matter. */
  isGone = false
  /** Whether the limiter checks it regularly. */
  isActive = false
  touchedMs = 0
  /** The last known amount that all processes may still take, and when more is available, in milliseconds since the epoch. */
  remaining: number
  availableAt = 0
  private advance = 0
  private refilledMs = 0
  private partSinceMs = 0
  /** Since when returns wait to be written. */
  returnsSinceMs = 0
  private fullUntilMs = 0

  constructor(
    public limit: CountedLimit,
    readonly subjectId: string,
  ) {
    this.remaining = limit.amount
  }

  get spare(): number {
    return this.size - this.used
  }

  /** Returns the rest of this window, from this process's last data. */
  left(nowMs: number): number {
    if (nowMs >= this.endsAtMs) return this.limit.amount
    return Math.max(0, Math.min(this.limit.amount, this.remaining + this.spare))
  }

  /** Takes from memory. Returns `false` if the database must be queried. */
  take(amount: number, nowMs: number): boolean {
    if (nowMs >= this.endsAtMs) this.expire(nowMs)
    this.touchedMs = nowMs
    if (this.size - this.used < amount) return false
    this.used += amount
    return true
  }

  /** Whether the last query, up to FULL_MS ago, found it full. */
  isFull(amount: number, nowMs: number): boolean {
    return nowMs < this.fullUntilMs && this.spare < amount
  }

  /** Gives back a request's unused amount, or takes its excess usage. `start`: the part in which it was taken. */
  correct(unused: number, start: number, nowMs = performance.now()): void {
    if (unused === 0) return
    if (start === this.start) {
      this.used -= unused
      this.touchedMs = nowMs
      if (unused > 0) this.fullUntilMs = 0
    } else if (unused > 0) this.giveBack(start, unused)
    else this.used -= unused
  }

  /** Ends the part of the window: its spare amount can no longer be used. */
  expire(nowMs: number): void {
    if (this.spare > 0) this.giveBack(this.start, this.spare)
    const isShown = this.advance > 0 && nowMs - this.partSinceMs >= PART_MS_MIN
    if (isShown) this.advance = Math.ceil(this.used * HEADROOM)
    // Its share was not used up.
    this.refilledMs = Number.NEGATIVE_INFINITY
    const owed = Math.max(0, this.used - this.size)
    this.size = 0
    this.used = owed
    this.start = -1
    this.endsAtMs = Number.POSITIVE_INFINITY
    this.fullUntilMs = 0
  }

  /** Returns unused counts from memory to the database. */
  returnSpare(): void {
    if (this.spare <= 0) return
    this.giveBack(this.start, this.spare)
    this.size = this.used
    this.advance = 0
  }

  private giveBack(start: number, amount: number): void {
    if (this.returns.size === 0) this.returnsSinceMs = performance.now()
    // Ended calendar windows are missing in the row too.
    this.returns.set(start, (this.returns.get(start) ?? 0) + amount)
  }

  /** Starts to count under a new epoch: the rows of the old one were released. */
  renew(nodeId: string): void {
    if (this.nodeId === nodeId) return
    this.nodeId = nodeId
    this.size = 0
    this.returns.clear()
  }

  get hasWork(): boolean {
    return this.isShort || this.returns.size > 0
  }

  /** Whether requests wait, or used more than was taken. */
  get isShort(): boolean {
    return this.waiting.length > 0 || this.used > this.size
  }

  /** Serves waiting requests from memory, and returns the query for the rest. */
  prepare(nowMs: number): { ask: ShareRequest; batch: Waiting[] } | undefined {
    if (nowMs >= this.endsAtMs) this.expire(nowMs)
    while (this.waiting[0] && this.spare >= this.waiting[0].want.quota) {
      const { want, resolve } = this.waiting.shift() as Waiting
      this.used += want.quota
      resolve(want.quota)
    }
    if (!this.hasWork) return undefined
    const batch = this.waiting.splice(0)
    const returns = this.returns
    this.returns = new Map()
    const wants = batch.map(({ want }) => want)
    const owed = Math.max(0, this.used - this.size)
    this.isBusy = true
    const { limit, subjectId, size: keeps } = this
    return { batch, ask: { limit, subjectId, returns, keeps, owed, wants, advance: this.nextAdvance(wants, nowMs) } }
  }

  private nextAdvance(wants: readonly Want[], nowMs: number): number {
    if (wants.length === 0) return 0
    const wanted = wants.reduce((sum, { quota }) => sum + quota, 0)
    this.advance =
      nowMs - this.refilledMs < SOON_MS ? Math.max(wanted, Math.min(this.limit.amount, this.advance * 2)) : this.advance
    this.refilledMs = nowMs
    return this.advance
  }

  /** Handles a failed query. If the outcome is unknown, its returns may be written already and are not repeated. */
  undo({ returns }: ShareRequest, { isKnown }: { isKnown: boolean }): void {
    if (isKnown) for (const [start, amount] of returns) this.giveBack(start, amount)
  }

  /** Applies the database's reply. `offsetMs`: from the monotonic clock to the database's. */
  accept(
    batch: readonly Waiting[],
    answer: ShareReply,
    { offsetMs, nowMs }: { offsetMs: number; nowMs: number },
  ): void {
    const { part, grants, taken, remaining } = answer
    if (part.start !== this.start) {
      const owed = Math.max(0, this.used - this.size)
      if (this.start !== -1) this.expire(nowMs)
      this.start = part.start
      this.partSinceMs = nowMs
      this.size = 0
      this.used = owed
    }
    this.endsAtMs = part.end - offsetMs
    this.size += taken
    this.remaining = remaining
    this.availableAt = answer.availableAt
    for (const [at, { resolve }] of batch.entries()) {
      const grant = grants[at]
      this.used += grant ?? 0
      resolve(grant)
    }
    if (grants.includes(undefined)) this.fullUntilMs = Math.min(nowMs + FULL_MS, this.endsAtMs)
  }
}
