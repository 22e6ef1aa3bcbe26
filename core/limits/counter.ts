import type { Want } from '../ledger/want.ts'
import { AMPLE, type ShareReply, type ShareRequest } from './exchange.ts'
import { type CountedLimit, LIMIT_MEASURES, type LimitMeasure } from './limit.ts'

/** A request that waits for its part of a limit. */
export interface Waiting {
  readonly want: Want
  readonly resolve: (granted: number | undefined) => void
  readonly reject: (reason: unknown) => void
}

/** A request's place in the queue of a limit. */
export interface QueueEntry {
  wake: (() => void) | undefined
}

/** How long a full counter rejects without another query, so that rejected requests do not query the database each. */
const FULL_MS = 50
/** A share used up faster than this grows at the next refill, in milliseconds: every refill is a transaction. */
const SOON_MS = 10_000
const GROWTH = 4
/** The next part of a window is expected to need up to this many times the amount of the last one. */
const HEADROOM = 2
/** A share that lasts for fewer ticks is refilled before requests have to wait. */
const TICKS_LEFT_MIN = 2
/** A shorter part does not show the need: this process's clock may run ahead of the database's. */
const PART_MS_MIN = 50

/** The share of the next part of a window, taken before the part begins. */
interface NextShare {
  readonly start: number
  readonly endsAtMs: number
  readonly size: number
}

/**
 * This process's share of one limit's count: the amount taken of the current window (`size`), and the part that requests use
 * (`used`). `used` above `size` is owed: requests used it before the database was queried. Times are of the monotonic clock.
 */
export class Counter {
  // What every request reads comes first, so that it lies together in memory: a busy gateway has few of its limits in the cache.
  size = 0
  used = 0
  /** The part of the window in which `size` was taken, by the database's clock; its end by the monotonic one. */
  start = -1
  endsAtMs = 0
  /** The measure of its limit, as a constant of LIMIT_MEASURES: V8 compares constants by address, and strings of a row by text. */
  readonly measure: LimitMeasure
  private isTouched = false
  /** Whether the limiter checks it regularly. */
  isActive = false
  /** Its limit was removed: its amounts no longer matter. */
  isGone = false
  /** Queued requests in order. Undefined if there are none: every request checks it. */
  private queue: Set<QueueEntry> | undefined
  private fullUntilMs = 0
  limit: CountedLimit
  /** The last known amount that all processes may still take. */
  remaining: number
  private next: NextShare | undefined
  /** When more is available, in milliseconds since the epoch. */
  availableAt = 0
  readonly subjectId: string
  /** The epoch under which concurrent requests were counted. */
  nodeId = ''
  readonly waiting: Waiting[] = []
  returns = new Map<number, number>()
  isBusy = false
  /** For how many ticks it has not been used. */
  idleTicks = 0
  private advance = 0
  private usedAtTick = 0
  private isLow = false
  private isEnding = false
  /** The largest amount that one of the last waiting requests wanted. */
  private largest = 1
  private refilledMs = 0
  private partSinceMs = 0
  /** Since when returns wait to be written. */
  returnsSinceMs = 0

  constructor(limit: CountedLimit, subjectId: string) {
    this.measure = LIMIT_MEASURES.find((measure) => measure === limit.measure) ?? limit.measure
    this.remaining = limit.amount
    this.limit = limit
    this.subjectId = subjectId
  }

  /** Applies an edited limit, whose measure and window are the same. */
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

  /** Returns the rest of this window, from this process's last data. */
  left(nowMs: number): number {
    if (nowMs >= this.endsAtMs) return this.amount
    return Math.max(0, Math.min(this.amount, this.remaining + this.spare + (this.next?.size ?? 0)))
  }

  /** Takes from memory. Returns `false` if the database must be queried. */
  take(amount: number, nowMs: number): boolean {
    if (nowMs >= this.endsAtMs) this.expire(nowMs)
    this.isTouched = true
    if (this.size - this.used < amount) return false
    this.used += amount
    return true
  }

  /** Whether the last query, up to FULL_MS ago, found it full. */
  isFull(amount: number, nowMs: number): boolean {
    return nowMs < this.fullUntilMs && this.spare < amount
  }

  /** Gives back a request's unused amount, or takes its excess usage. `start`: the part in which it was taken. */
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

  /** Ends the part of the window: its spare amount can no longer be used, but the share of the next part can. */
  expire(nowMs: number): void {
    if (this.spare > 0) this.giveBack(this.start, this.spare)
    if (this.advance > 0) this.advance = this.neededNext(nowMs)
    // The first refill of a part does not grow the share.
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

  /** Gives back unused amounts that were taken before the rest of the share was given back. Amounts of no part are in no row. */
  private giveBackEarlier(): void {
    if (this.start !== -1) this.giveBack(this.start, -this.used)
    this.used = 0
  }

  private giveBackNext(): void {
    if (this.next) this.giveBack(this.next.start, this.next.size)
    this.next = undefined
  }

  /** Returns unused counts from memory to the database. */
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
    return this.isShort || this.isDue || this.returns.size > 0
  }

  /** Whether it holds nothing of its limit. */
  get isEmpty(): boolean {
    return this.size === 0 && this.used === 0 && !this.next && !this.hasWork
  }

  /** Whether requests would soon wait: for more of this part of the window, or for the first share of the next. */
  get isDue(): boolean {
    return this.isLow || this.isEnding
  }

  private clearDue(): void {
    this.isLow = false
    this.isEnding = false
  }

  /** Whether the limit has so much left that amounts may be taken in advance. */
  private get isAmple(): boolean {
    return this.remaining >= this.largest * AMPLE
  }

  /** Called at each tick, also while an exchange runs: what was used before the exchange does not count after it. */
  age(): void {
    this.idleTicks = this.isTouched ? 0 : this.idleTicks + 1
    this.isTouched = false
  }

  /** Finds out whether it is due; called at each tick. Near the limit, nothing is taken in advance. */
  updateDue(nowMs: number, tickMs: number): void {
    const { isAmple } = this
    const recent = this.used - this.usedAtTick
    this.usedAtTick = this.used
    const isUsed = this.idleTicks === 0 && this.advance > 0
    this.isLow = isAmple && isUsed && this.spare < recent * TICKS_LEFT_MIN
    this.isEnding = isAmple && isUsed && !this.next && this.endsAtMs - nowMs < tickMs * TICKS_LEFT_MIN
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
    const wants = batch.map(({ want }) => want)
    if (wants.length > 0) this.largest = Math.max(...wants.map(({ quota }) => quota))
    // Near the limit a request may need this process's share and what is left in the row.
    if (wants.length > 0 && !this.isAmple) this.returnSpare()
    const returns = this.returns
    this.returns = new Map()
    const owed = Math.max(0, this.used - this.size)
    this.isBusy = true
    const { limit, subjectId, start, size: keeps, largest } = this
    const nextAdvance = this.isEnding ? this.neededNext(nowMs) : 0
    const advance = this.isLow || wants.length > 0 ? this.largerAdvance(wants, nowMs) : 0
    this.clearDue()
    return { batch, ask: { limit, subjectId, start, returns, keeps, owed, wants, largest, advance, nextAdvance } }
  }

  /** Returns what the next part of the window is expected to need. */
  private neededNext(nowMs: number): number {
    return nowMs - this.partSinceMs >= PART_MS_MIN ? Math.ceil(this.used * HEADROOM) : this.advance
  }

  private largerAdvance(wants: readonly Want[], nowMs: number): number {
    const wanted = wants.reduce((sum, { quota }) => sum + quota, 0)
    this.advance =
      nowMs - this.refilledMs < SOON_MS ? Math.max(wanted, Math.min(this.amount, this.advance * GROWTH)) : this.advance
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
    const { part, grants, taken, next, remaining } = answer
    while (this.start !== -1 && this.start < part.start) this.expire(nowMs)
    if (this.start > part.start) {
      // That part has ended meanwhile: the requests count in the current one.
      this.giveBack(part.start, taken)
    } else {
      if (this.start === -1) this.partSinceMs = nowMs
      this.start = part.start
      this.endsAtMs = part.end - offsetMs
      this.size += taken
    }
    if (next) {
      this.next = { start: next.part.start, endsAtMs: next.part.end - offsetMs, size: next.taken }
    }
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
