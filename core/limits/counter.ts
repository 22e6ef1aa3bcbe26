import type { Want } from '../ledger/want.ts'
import { ADVANCE_FREE_FACTOR, type ShareReply, type ShareRequest } from './exchange.ts'
import { type CountedLimit, LIMIT_MEASURES, type LimitMeasure } from './limit.ts'

/** A request that waits until the database grants an amount of a limit. */
export interface ShareWaiter {
  readonly want: Want
  readonly resolve: (granted: number | undefined) => void
  readonly reject: (reason: unknown) => void
}

/** The place of a request in the queue of a full limit. */
export interface QueueEntry {
  /** Makes the request check the limit again. Undefined while it is not waiting. */
  wake: (() => void) | undefined
}

/** If a query finds the limit full, the limit counts as full for this time, without further queries. */
const FULL_MS = 50
/** If a share is used up within this time, the next refill is larger, because each refill is a transaction. */
const SOON_MS = 10_000
const GROWTH = 4
/** The share of the next part of a window is this many times the amount that was used in the current part. */
const HEADROOM = 2
/** If a share would be used up within fewer ticks, it is refilled in advance, so that requests need not wait. */
const TICKS_LEFT_MIN = 2
/**
 * If a part of a window was shorter than this, its usage does not predict the next part. Such short parts occur if this
 * process's clock is ahead of the database's.
 */
const PART_MS_MIN = 50

/** A share of the next part of the window, taken before that part begins. */
interface NextShare {
  readonly start: number
  readonly endsAtMs: number
  readonly size: number
}

/**
 * This process's share of one limit's count for one subject. `size` is the amount that the process has taken of the
 * current window. `used` is the amount that its requests have used. If `used` is above `size`, the database does not
 * know the difference yet, and the process owes it. Times are of the monotonic clock unless stated otherwise.
 */
export class Counter {
  // Fields that every request reads come first. So they are adjacent in memory, which is fast.
  size = 0
  used = 0
  /** Start of the part of the window from which `size` was taken, by the database's clock. -1 if there is none. */
  start = -1
  /** End of this part of the window, by the monotonic clock. */
  endsAtMs = 0
  /** The measure, as a constant of LIMIT_MEASURES, which V8 compares faster than a string that was read from a row. */
  readonly measure: LimitMeasure
  private isTouched = false
  /** Whether the limiter checks this counter at each tick. */
  isActive = false
  /** Whether the limit was removed, so that its amounts are no longer written. */
  isGone = false
  /** Queued requests in order. Undefined if there are none, so that the check of each request is fast. */
  private queue: Set<QueueEntry> | undefined
  private fullUntilMs = 0
  limit: CountedLimit
  /** The amount that all processes may still take, according to the last reply. */
  remaining: number
  private next: NextShare | undefined
  /** The time when more of the limit may be available, in milliseconds of the database's clock. */
  availableAt = 0
  readonly subjectId: string
  /** The epoch under which concurrent requests are counted. */
  nodeId = ''
  readonly waiting: ShareWaiter[] = []
  /** Amounts to give back, by the start of the part of the window from which they were taken. */
  returns = new Map<number, number>()
  /** Whether an exchange with the database is running. */
  isBusy = false
  /** Number of ticks since a request last used the counter. */
  idleTicks = 0
  /** The amount to take in advance at the next refill. */
  private advance = 0
  private usedAtTick = 0
  private isLow = false
  private isEnding = false
  /** The largest amount that a request of the last query needed. */
  private largest = 1
  private refilledMs = 0
  private partSinceMs = 0
  /** When the oldest amount in `returns` was added. */
  returnsSinceMs = 0

  constructor(limit: CountedLimit, subjectId: string) {
    this.measure = LIMIT_MEASURES.find((measure) => measure === limit.measure) ?? limit.measure
    this.remaining = limit.amount
    this.limit = limit
    this.subjectId = subjectId
  }

  /** Applies an edit of the limit. Its measure and window are the same as before. */
  edit(limit: CountedLimit): void {
    if (limit.amount !== this.amount) this.returnSpare()
    this.limit = limit
  }

  get amount(): number {
    return this.limit.amount
  }

  get queued(): number {
    return this.queue ? this.queue.size : 0
  }

  join(entry: QueueEntry): void {
    this.queue ??= new Set()
    this.queue.add(entry)
  }

  leave(entry: QueueEntry): void {
    this.queue?.delete(entry)
    if (this.queue?.size === 0) this.queue = undefined
  }

  /** The request that has queued for the longest time. */
  get firstQueued(): QueueEntry | undefined {
    return this.queue?.values().next().value
  }

  get spare(): number {
    return this.size - this.used
  }

  /** Returns the amount that is left in the window, as far as this process knows. */
  left(nowMs: number): number {
    if (nowMs >= this.endsAtMs) return this.amount
    return Math.max(0, Math.min(this.amount, this.remaining + this.spare + (this.next?.size ?? 0)))
  }

  /** Takes an amount from memory. Returns `false` if memory has too little, so that the database must be queried. */
  take(amount: number, nowMs: number): boolean {
    if (nowMs >= this.endsAtMs) this.expire(nowMs)
    this.isTouched = true
    if (this.size - this.used < amount) return false
    this.used += amount
    return true
  }

  /** Returns whether memory has less than `amount`, and a query within the last FULL_MS found the limit full. */
  isFull(amount: number, nowMs: number): boolean {
    return nowMs < this.fullUntilMs && this.spare < amount
  }

  /**
   * Gives back the unused amount of a request. If `unused` is negative, takes the excess instead. `start` is the start
   * of the part of the window from which the amount was taken.
   */
  correct(unused: number, start: number): void {
    if (unused === 0) return
    if (start === this.start) {
      this.used -= unused
      this.isTouched = true
      if (unused > 0) this.fullUntilMs = 0
      if (this.used < 0) this.giveBackEarlier()
    } else if (unused > 0) this.giveBack(start, unused)
    else this.used -= unused
  }

  /** Ends a part of the window. Gives back its spare amount, and begins to use the share of the next part. */
  expire(nowMs: number): void {
    if (this.spare > 0) this.giveBack(this.start, this.spare)
    if (this.advance > 0) this.advance = this.neededNext(nowMs)
    // Ensures that the first refill of a part does not enlarge the share.
    this.refilledMs = Number.NEGATIVE_INFINITY
    this.used = Math.max(0, this.used - this.size)
    this.usedAtTick = this.used
    this.fullUntilMs = 0
    this.clearDue()
    const { next } = this
    const isCurrent = next !== undefined && nowMs < next.endsAtMs
    if (!isCurrent) this.giveBackNext()
    this.next = undefined
    this.partSinceMs = nowMs
    this.size = isCurrent ? next.size : 0
    this.start = isCurrent ? next.start : -1
    this.endsAtMs = isCurrent ? next.endsAtMs : Number.POSITIVE_INFINITY
  }

  /**
   * Gives back the amounts of requests that ended after the process had given back their share. If `start` is -1, the
   * process has no share of any part, so the amounts are dropped.
   */
  private giveBackEarlier(): void {
    if (this.start !== -1) this.giveBack(this.start, -this.used)
    this.used = 0
  }

  private giveBackNext(): void {
    if (this.next) this.giveBack(this.next.start, this.next.size)
    this.next = undefined
  }

  /** Gives back all unused amounts. The next exchange writes them to the database. */
  returnSpare(): void {
    this.giveBackNext()
    this.clearDue()
    this.advance = 0
    if (this.spare <= 0) return
    this.giveBack(this.start, this.spare)
    this.size = this.used
  }

  private giveBack(start: number, amount: number): void {
    if (this.returns.size === 0) this.returnsSinceMs = performance.now()
    // If the part has ended, the database ignores the amount.
    this.returns.set(start, (this.returns.get(start) ?? 0) + amount)
  }

  /** Starts to count under a new epoch, because the shares of the old epoch were released. */
  renew(nodeId: string): void {
    if (this.nodeId === nodeId) return
    this.nodeId = nodeId
    this.size = 0
    this.returns.clear()
  }

  get hasWork(): boolean {
    return this.isShort || this.isDue || this.returns.size > 0
  }

  /** Whether the process has no share of the limit and nothing to write. */
  get isEmpty(): boolean {
    return this.size === 0 && this.used === 0 && !this.next && !this.hasWork
  }

  /** Whether to take an amount in advance, of this or the next part of the window. */
  get isDue(): boolean {
    return this.isLow || this.isEnding
  }

  private clearDue(): void {
    this.isLow = false
    this.isEnding = false
  }

  /** Whether enough is left in the limit to take amounts in advance. */
  private get isAmple(): boolean {
    return this.remaining >= this.largest * ADVANCE_FREE_FACTOR
  }

  /** Updates `idleTicks`. Called at each tick, even while an exchange runs. */
  age(): void {
    this.idleTicks = this.isTouched ? 0 : this.idleTicks + 1
    this.isTouched = false
  }

  /** Updates `isDue`. Called at each tick. If little is left in the limit, nothing is taken in advance. */
  updateDue(nowMs: number, tickMs: number): void {
    const { isAmple } = this
    const recent = this.used - this.usedAtTick
    this.usedAtTick = this.used
    const isUsed = this.idleTicks === 0 && this.advance > 0
    this.isLow = isAmple && isUsed && this.spare < recent * TICKS_LEFT_MIN
    this.isEnding = isAmple && isUsed && !this.next && this.endsAtMs - nowMs < tickMs * TICKS_LEFT_MIN
  }

  /** Whether requests are waiting, or have used more than was taken. */
  get isShort(): boolean {
    return this.waiting.length > 0 || this.used > this.size
  }

  /** Serves waiting requests from memory. Returns the query for the others, or undefined if none is needed. */
  prepare(nowMs: number): { request: ShareRequest; batch: ShareWaiter[] } | undefined {
    if (nowMs >= this.endsAtMs) this.expire(nowMs)
    for (let first = this.waiting[0]; first && this.spare >= first.want.quota; first = this.waiting[0]) {
      this.waiting.shift()
      this.used += first.want.quota
      first.resolve(first.want.quota)
    }
    if (!this.hasWork) return undefined
    const batch = this.waiting.splice(0)
    const wants = batch.map(({ want }) => want)
    if (wants.length > 0) this.largest = Math.max(...wants.map(({ quota }) => quota))
    // If little is left, a request may need more than the row has. So first give the spare amount back to the row.
    if (wants.length > 0 && !this.isAmple) this.returnSpare()
    const returns = this.returns
    this.returns = new Map()
    const owed = Math.max(0, this.used - this.size)
    this.isBusy = true
    const { limit, subjectId, start, size: keptShare, largest } = this
    const nextAdvance = this.isEnding ? this.neededNext(nowMs) : 0
    const advance = this.isLow || wants.length > 0 ? this.largerAdvance(wants, nowMs) : 0
    this.clearDue()
    return {
      batch,
      request: { limit, subjectId, start, returns, keptShare, owed, wants, largest, advance, nextAdvance },
    }
  }

  /** Returns the amount that the next part of the window will probably need. */
  private neededNext(nowMs: number): number {
    return nowMs - this.partSinceMs >= PART_MS_MIN ? Math.ceil(this.used * HEADROOM) : this.advance
  }

  private largerAdvance(wants: readonly Want[], nowMs: number): number {
    const wantedSum = wants.reduce((sum, { quota }) => sum + quota, 0)
    this.advance =
      nowMs - this.refilledMs < SOON_MS
        ? Math.max(wantedSum, Math.min(this.amount, this.advance * GROWTH))
        : this.advance
    this.refilledMs = nowMs
    return this.advance
  }

  /**
   * Handles a failed query. If it certainly had no effect (`isKnown`), the next query gives the same amounts back.
   * Otherwise the amounts are dropped, because the database may already have them.
   */
  undo({ returns }: ShareRequest, { isKnown }: { isKnown: boolean }): void {
    if (isKnown) for (const [start, amount] of returns) this.giveBack(start, amount)
  }

  /** Applies the database's reply. `offsetMs` is the database's clock minus the monotonic clock. */
  accept(
    batch: readonly ShareWaiter[],
    reply: ShareReply,
    { offsetMs, nowMs }: { offsetMs: number; nowMs: number },
  ): void {
    const { part, grants, taken, next, remaining } = reply
    while (this.start !== -1 && this.start < part.start) this.expire(nowMs)
    if (this.start > part.start) {
      // The part of the reply has ended in the meantime, so the requests count in the current part.
      this.giveBack(part.start, taken)
    } else {
      if (this.start === -1) this.partSinceMs = nowMs
      this.start = part.start
      this.endsAtMs = part.end - offsetMs
      this.size += taken
    }
    if (next) this.next = { start: next.part.start, endsAtMs: next.part.end - offsetMs, size: next.taken }
    this.remaining = remaining
    this.availableAt = reply.availableAt
    for (const [at, { resolve }] of batch.entries()) {
      const grant = grants[at]
      this.used += grant ?? 0
      resolve(grant)
    }
    if (grants.includes(undefined)) this.fullUntilMs = Math.min(nowMs + FULL_MS, this.endsAtMs)
  }
}
