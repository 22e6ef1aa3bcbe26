import type { Database } from '../db/database.ts'
import { DATABASE_WAIT_MS, databaseUnavailable, isDatabaseUnavailable, OutcomeUnknownError } from '../db/unavailable.ts'
import type { Want } from '../ledger/want.ts'
import { Counter, type ShareWaiter } from './counter.ts'
import { type ClockMs, exchangeShares, type ShareReply, type ShareRequest } from './exchange.ts'
import type { CountedLimit, LimitMeasure } from './limit.ts'

const TICK_MS = 100
/** A share that was not used for this many ticks is given back. */
const IDLE_TICKS = 5
/** The number of ticks for shares of concurrency limits, which are given back sooner. */
const IDLE_CONCURRENT_TICKS = 1
/** Amounts that a counter gives back are written at the latest after this time. */
const RETURN_MS = 1000
/** Maximum number of counters per transaction, so that transactions are short. */
const REQUESTS_MAX = 100
/** After a failure of the database, no queries are sent for this time. */
const DOWN_MS = 1000
const COUNTERS_MAX = 100_000

interface LimiterParts {
  readonly db: Database
  readonly clock: ClockMs
  /** The epoch of this process in the ledger. If this process crashes, another process ends the epoch. */
  readonly node: { readonly nodeId: string; heartbeat(): Promise<void> }
  /** Returns whether requests are allowed while the database is unavailable. */
  failsOpen(measure: LimitMeasure): boolean
  /** Called when the limit is exceeded for the first time in a window. */
  onExcess(limit: CountedLimit, subjectId: string): void
  onFailure(error: unknown): void
}

/**
 * Serves shares of limits from memory. If a share is too small, queries the database. One transaction at a time serves
 * all waiting counters. A process takes an amount from the row before requests use it. So the processes exceed no limit
 * while the database is available.
 */
export class Limiter {
  private readonly counters = new Map<string, Counter>()
  /** Counters that are checked at each tick. */
  private readonly activeCounters = new Set<Counter>()
  /** Counters that need an exchange with the database. */
  private readonly due = new Set<Counter>()
  private timer: NodeJS.Timeout | undefined
  private running: Promise<void> | undefined
  private downUntilMs = 0
  private isClosed = false
  /** The database's clock minus the monotonic clock, in milliseconds. */
  private offsetMs = Date.now() - performance.now()

  constructor(private readonly parts: LimiterParts) {}

  /** Returns the counter of a limit and subject. Creates it if it is missing. */
  counter(limit: CountedLimit, subjectId: string): Counter {
    const key = `${limit.id} ${subjectId}`
    const existing = this.counters.get(key)
    if (existing) return existing
    if (this.counters.size >= COUNTERS_MAX) this.forgetIdle()
    const counter = new Counter(limit, subjectId)
    this.counters.set(key, counter)
    return counter
  }

  /**
   * Applies edited limits. Gives back the shares of limits whose amount changed, and removes the counters of limits
   * that were deleted or have another window or measure.
   */
  reload(limits: ReadonlyMap<number, CountedLimit>): void {
    for (const [key, counter] of this.counters) {
      const { limit } = counter
      const edited = limits.get(limit.id)
      const isSameWindow = edited?.period === limit.period && edited.time_zone === limit.time_zone
      if (!edited || !isSameWindow || edited.measure !== limit.measure) {
        counter.isGone = true
        this.counters.delete(key)
        this.activeCounters.delete(counter)
        this.due.delete(counter)
        continue
      }
      counter.edit(edited)
      if (counter.hasWork) this.scheduleWrite(counter)
    }
  }

  /** The time of the database's clock, in Unix milliseconds. */
  get nowMs(): number {
    return performance.now() + this.offsetMs
  }

  /** Marks a counter as active, so that its share is given back when it is idle. */
  touch(counter: Counter): void {
    if (counter.isActive || counter.isGone) return
    counter.isActive = true
    this.activeCounters.add(counter)
    this.timer ??= setInterval(() => this.tick(), TICK_MS).unref()
  }

  /** Queries the database for an amount. Resolves to the granted amount, or to undefined if too little is left. */
  requestShare(counter: Counter, want: Want): Promise<number | undefined> {
    this.touch(counter)
    // If the limit was removed in the meantime, grant everything.
    if (counter.isGone) return Promise.resolve(want.quota)
    if (this.isClosed || this.isDown()) return this.withoutDatabase(counter, want)
    return new Promise((resolve, reject) => {
      counter.waiting.push({ want, resolve, reject })
      this.scheduleWrite(counter)
    })
  }

  /** Schedules an exchange with the database for the amounts that a counter needs, owes or gives back. */
  scheduleWrite(counter: Counter): void {
    if (counter.isGone) return
    this.touch(counter)
    if (counter.isBusy) return
    this.due.add(counter)
    this.running ??= this.run().finally(() => {
      this.running = undefined
      this.writeNext()
    })
  }

  private writeNext(): void {
    const [next] = this.due
    if (next && !this.isDown()) this.scheduleWrite(next)
  }

  private isDown(): boolean {
    return performance.now() < this.downUntilMs
  }

  /** Runs exchanges until no counter is due. During a transaction, requests for the next one accumulate. */
  private async run(): Promise<void> {
    while (this.due.size > 0 && !this.isDown()) {
      await new Promise<void>((resolve) => setImmediate(resolve))
      const nowMs = performance.now()
      const prepared: Prepared[] = []
      for (const counter of this.due) {
        if (prepared.length >= REQUESTS_MAX) break
        this.due.delete(counter)
        if (counter.measure === 'concurrent') counter.renew(this.parts.node.nodeId)
        const query = counter.prepare(nowMs)
        if (query) prepared.push({ counter, ...query })
      }
      if (prepared.length > 0) await this.exchange(prepared)
    }
  }

  private async exchange(prepared: readonly Prepared[]): Promise<void> {
    const { node, onFailure } = this.parts
    // If the transaction is late, the waiting requests are decided without it. The transaction continues.
    const late = setTimeout(() => {
      this.downUntilMs = performance.now() + DOWN_MS
      for (const each of prepared) this.decideWithout(each, databaseUnavailable())
    }, DATABASE_WAIT_MS)
    try {
      const startedMs = performance.now()
      const reply = await this.write(prepared.map(({ request }) => request))
      if (!reply) {
        // The epoch has ended. A heartbeat begins a new one.
        await node.heartbeat()
        throw databaseUnavailable()
      }
      // The database's clock was read after `startedMs`. So windows may end early in this process, but not late.
      this.offsetMs = reply.now - startedMs
      for (const [at, each] of prepared.entries()) this.accept(each, reply.replies[at] as ShareReply)
    } catch (error) {
      onFailure(error)
      if (isDatabaseUnavailable(error)) this.downUntilMs = performance.now() + DOWN_MS
      for (const each of prepared) {
        each.counter.undo(each.request, { isKnown: !(error instanceof OutcomeUnknownError) })
        this.decideWithout(each, error)
      }
    } finally {
      clearTimeout(late)
      for (const { counter } of prepared) {
        counter.isBusy = false
        if (counter.isShort && !counter.isGone) this.due.add(counter)
      }
    }
  }

  private async write(requests: readonly ShareRequest[]) {
    const { db, node, clock } = this.parts
    if (node.nodeId === '' && requests.some(({ limit }) => limit.measure === 'concurrent')) await node.heartbeat()
    const { nodeId } = node
    return db.transaction((trx) => exchangeShares(trx, requests, { nodeId, clock }))
  }

  private accept({ counter, request, batch, isDecided }: Prepared, reply: ShareReply): void {
    // Grants for requests that were decided without the database become spare.
    const waiting = isDecided ? batch.map(({ want }) => ({ want, ...IGNORED_REPLY })) : batch
    counter.accept(waiting, reply, { offsetMs: this.offsetMs, nowMs: performance.now() })
    if (isDecided) counter.used -= reply.grants.reduce<number>((sum, grant) => sum + (grant ?? 0), 0)
    // If the limit was edited in the meantime, give the share back.
    if (request.limit.amount !== counter.amount) counter.returnSpare()
    if (reply.isFirstExcess) this.parts.onExcess(counter.limit, counter.subjectId)
  }

  private decideWithout(prepared: Prepared, error: unknown): void {
    if (prepared.isDecided) return
    prepared.isDecided = true
    const { counter, batch } = prepared
    for (const { want, resolve, reject } of batch) this.withoutDatabase(counter, want, error).then(resolve, reject)
  }

  /** Allows a request without the database, and counts it later. Throws `error` if the limit fails closed. */
  private async withoutDatabase(counter: Counter, { quota }: Want, error: unknown = databaseUnavailable()) {
    if (!this.parts.failsOpen(counter.measure)) throw error
    counter.used += quota
    return quota
  }

  /** Gives back unused amounts, and schedules pending exchanges. */
  private tick(): void {
    const nowMs = performance.now()
    for (const counter of this.activeCounters) {
      counter.age()
      if (counter.isBusy) continue
      if (nowMs >= counter.endsAtMs) counter.expire(nowMs)
      counter.updateDue(nowMs, TICK_MS)
      const { measure, idleTicks } = counter
      if (idleTicks >= (measure === 'concurrent' ? IDLE_CONCURRENT_TICKS : IDLE_TICKS)) counter.returnSpare()
      const mayReturn = idleTicks > 0 || nowMs - counter.returnsSinceMs >= RETURN_MS
      if (counter.isShort || counter.isDue || (counter.hasWork && mayReturn)) this.due.add(counter)
      else if (counter.isEmpty) {
        counter.isActive = false
        this.activeCounters.delete(counter)
      }
    }
    this.writeNext()
    if (this.activeCounters.size === 0) {
      clearInterval(this.timer)
      this.timer = undefined
    }
  }

  /** Removes idle counters of addresses. Other subjects are few, and `ApplicableLimits` caches their counters. */
  private forgetIdle(): void {
    for (const [key, counter] of this.counters) {
      if (counter.limit.subject === 'address' && !counter.isActive) this.counters.delete(key)
    }
  }

  /** Gives back all unused amounts to the database. */
  async close(): Promise<void> {
    this.isClosed = true
    clearInterval(this.timer)
    // Wait for a running exchange, because it may add to shares.
    await this.running
    for (const counter of this.activeCounters) {
      counter.returnSpare()
      if (counter.hasWork) this.due.add(counter)
    }
    this.writeNext()
    await this.running
  }
}

interface Prepared {
  readonly counter: Counter
  readonly request: ShareRequest
  readonly batch: readonly ShareWaiter[]
  isDecided?: boolean
}

const IGNORED_REPLY = { resolve() {}, reject() {} }
