import type { Database } from '../db/database.ts'
import { OutcomeUnknownError } from '../db/outcome-unknown.ts'
import { DATABASE_WAIT_MS, databaseUnavailable, isDatabaseUnavailable } from '../db/unavailable.ts'
import type { Want } from '../ledger/want.ts'
import { Counter, type Waiting } from './counter.ts'
import { type ClockMs, exchange, type ShareReply, type ShareRequest } from './exchange.ts'
import type { CountedLimit, LimitMeasure } from './limit.ts'

const TICK_MS = 100
/** A share is given back at the tick that finds it unused for so many ticks. */
const IDLE_TICKS = 5
const IDLE_CONCURRENT_TICKS = 1
/** Returns wait at most this long for the next exchange. */
const RETURN_MS = 1000
/** Keeps each transaction short. */
const ASKS_MAX = 100
/** Pause after a database failure. */
const DOWN_MS = 1000
const COUNTERS_MAX = 100_000

export interface LimiterParts {
  readonly db: Database
  readonly clock: ClockMs
  /** The epoch of this process in the ledger, which other processes end when it is dead. */
  readonly node: { readonly nodeId: string; heartbeat(): Promise<void> }
  /** Whether requests are allowed while the database is unavailable. */
  failsOpen(measure: LimitMeasure): boolean
  /** Called for the first request of a window that did not fit. */
  onExcess(limit: CountedLimit, subjectId: string): void
  onFailure(error: unknown): void
}

/**
 * Serves shares of limits from memory. For the rest it queries the database: one transaction at a time, for all waiting counters.
 * All amounts were taken from the row before, so any number of processes can share a limit.
 */
export class Limiter {
  private readonly counters = new Map<string, Counter>()
  /** Counters with amounts taken or wanted. */
  private readonly activeCounters = new Set<Counter>()
  private readonly due = new Set<Counter>()
  private timer: NodeJS.Timeout | undefined
  private running: Promise<void> | undefined
  private downUntilMs = 0
  private isClosed = false
  /** From the monotonic clock to the database's, in milliseconds. */
  private offsetMs = Date.now() - performance.now()

  constructor(private readonly parts: LimiterParts) {}

  counter(limit: CountedLimit, subjectId: string): Counter {
    const key = `${limit.id} ${subjectId}`
    const found = this.counters.get(key)
    if (found) return found
    if (this.counters.size >= COUNTERS_MAX) this.forgetIdle()
    const counter = new Counter(limit, subjectId)
    this.counters.set(key, counter)
    return counter
  }

  /** Applies edited limits, and gives back the amounts of limits that changed. */
  reload(limits: ReadonlyMap<number, CountedLimit>): void {
    for (const [key, counter] of this.counters) {
      const { limit } = counter
      const now = limits.get(limit.id)
      if (now && now.period === limit.period && now.time_zone === limit.time_zone && now.measure === limit.measure) {
        counter.edit(now)
      } else {
        counter.isGone = true
        this.counters.delete(key)
        this.activeCounters.delete(counter)
        this.due.delete(counter)
        continue
      }
      if (counter.hasWork) this.scheduleWrite(counter)
    }
  }

  /** The database's clock, in milliseconds since the epoch. */
  get nowMs(): number {
    return performance.now() + this.offsetMs
  }

  /** Marks a counter as in use, so that its share is given back when idle. */
  touch(counter: Counter): void {
    if (counter.isActive || counter.isGone) return
    counter.isActive = true
    this.activeCounters.add(counter)
    this.timer ??= setInterval(() => this.tick(), TICK_MS).unref()
  }

  /** Queries the database. Resolves with the granted amount; undefined: it does not fit. */
  requestShare(counter: Counter, want: Want): Promise<number | undefined> {
    this.touch(counter)
    // The limit was removed while the request was waiting.
    if (counter.isGone) return Promise.resolve(want.quota)
    if (this.isClosed || this.isDown()) return this.withoutDatabase(counter, want)
    return new Promise((resolve, reject) => {
      counter.waiting.push({ want, resolve, reject })
      this.scheduleWrite(counter)
    })
  }

  /** Schedules a write of the amounts that a counter owes or gives back. */
  scheduleWrite(counter: Counter): void {
    if (counter.isGone) return
    this.touch(counter)
    if (counter.isBusy) return
    this.due.add(counter)
    this.running ??= this.run().finally(() => {
      this.running = undefined
      if (this.due.size > 0 && !this.isDown()) this.scheduleWrite(this.due.values().next().value as Counter)
    })
  }

  private isDown(): boolean {
    return performance.now() < this.downUntilMs
  }

  /** While one transaction runs, the next wants gather. */
  private async run(): Promise<void> {
    while (this.due.size > 0 && !this.isDown()) {
      await new Promise<void>((resolve) => setImmediate(resolve))
      const nowMs = performance.now()
      const prepared: Prepared[] = []
      for (const counter of this.due) {
        if (prepared.length >= ASKS_MAX) break
        this.due.delete(counter)
        if (counter.measure === 'concurrent') counter.renew(this.parts.node.nodeId)
        const made = counter.prepare(nowMs)
        if (made) prepared.push({ counter, ...made })
      }
      if (prepared.length > 0) await this.exchange(prepared)
    }
  }

  private async exchange(prepared: readonly Prepared[]): Promise<void> {
    const { node, onFailure } = this.parts
    // Waiting requests get a timely reply; the transaction continues.
    const late = setTimeout(() => {
      this.downUntilMs = performance.now() + DOWN_MS
      for (const each of prepared) this.answerWithout(each, databaseUnavailable())
    }, DATABASE_WAIT_MS)
    try {
      const startedMs = performance.now()
      const done = await this.write(prepared.map(({ ask }) => ask))
      if (!done) {
        // The epoch has ended: the next beat begins another one.
        await node.heartbeat()
        throw databaseUnavailable()
      }
      // The database's clock is read after this one: windows end early here, never late.
      this.offsetMs = done.now - startedMs
      for (const [at, each] of prepared.entries()) this.accept(each, done.answers[at] as ShareReply)
    } catch (error) {
      onFailure(error)
      if (isDatabaseUnavailable(error)) this.downUntilMs = performance.now() + DOWN_MS
      for (const each of prepared) {
        each.counter.undo(each.ask, { isKnown: !(error instanceof OutcomeUnknownError) })
        this.answerWithout(each, error)
      }
    } finally {
      clearTimeout(late)
      for (const { counter } of prepared) {
        counter.isBusy = false
        if (counter.isShort && !counter.isGone) this.due.add(counter)
      }
    }
  }

  private async write(asks: readonly ShareRequest[]) {
    const { db, node, clock } = this.parts
    if (node.nodeId === '' && asks.some(({ limit }) => limit.measure === 'concurrent')) await node.heartbeat()
    const { nodeId } = node
    return db.transaction((trx) => exchange(trx, asks, { nodeId, clock }))
  }

  private accept({ counter, ask, batch, isAnswered }: Prepared, answer: ShareReply): void {
    // Grants that come too late for the waiting requests are spare.
    const waiting = isAnswered ? batch.map(({ want }) => ({ want, ...UNHEARD })) : batch
    counter.accept(waiting, answer, { offsetMs: this.offsetMs, nowMs: performance.now() })
    if (isAnswered) counter.used -= answer.grants.reduce<number>((sum, grant) => sum + (grant ?? 0), 0)
    // The limit was edited meanwhile.
    if (ask.limit.amount !== counter.amount) counter.returnSpare()
    if (answer.isFirstExcess) this.parts.onExcess(counter.limit, counter.subjectId)
  }

  private answerWithout(prepared: Prepared, error: unknown): void {
    if (prepared.isAnswered) return
    prepared.isAnswered = true
    const { counter, batch } = prepared
    for (const { want, resolve, reject } of batch) this.withoutDatabase(counter, want, error).then(resolve, reject)
  }

  /** Allows a request and counts it later, or rejects it. */
  private async withoutDatabase(counter: Counter, { quota }: Want, error: unknown = databaseUnavailable()) {
    if (!this.parts.failsOpen(counter.measure)) throw error
    counter.used += quota
    return quota
  }

  /** Returns unused amounts, and writes pending changes. */
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
    const [first] = this.due
    if (first && !this.isDown()) this.scheduleWrite(first)
    if (this.activeCounters.size === 0) {
      clearInterval(this.timer)
      this.timer = undefined
    }
  }

  /** Addresses are as many as clients; other subjects are bounded, and `ApplicableLimits` keeps their counters. */
  private forgetIdle(): void {
    for (const [key, counter] of this.counters) {
      if (counter.limit.subject === 'address' && !counter.isActive) this.counters.delete(key)
    }
  }

  /** Gives back unused amounts. */
  async close(): Promise<void> {
    this.isClosed = true
    clearInterval(this.timer)
    // The exchange that is running may bring shares.
    await this.running
    for (const counter of this.activeCounters) {
      counter.returnSpare()
      if (counter.hasWork) this.due.add(counter)
    }
    const [first] = this.due
    if (first && !this.isDown()) this.scheduleWrite(first)
    await this.running
  }
}

interface Prepared {
  readonly counter: Counter
  readonly ask: ShareRequest
  readonly batch: readonly Waiting[]
  isAnswered?: boolean
}

const UNHEARD = { resolve() {}, reject() {} }
