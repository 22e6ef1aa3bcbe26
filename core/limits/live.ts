import type { Follower } from '../changes/follower.ts'
import { databaseClockMs } from '../db/clock.ts'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { quotaDisplay } from '../logs/quota-display.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'
import type { Ready } from '../ready.ts'
import { acquire, type LimitHold, LimitReached, type LimitUse, type Queued } from './acquire.ts'
import { ApplicableLimits } from './applicable.ts'
import type { Counter } from './counter.ts'
import type { ClockMs } from './exchange.ts'
import { LearnedLimits } from './learned.ts'
import type { CountedLimit, LimitMeasure, LiveLimit } from './limit.ts'
import { Limiter } from './limiter.ts'
import { limitReached } from './reached.ts'
import { readLimits } from './rows.ts'

/** A limit that was exceeded for the first time in a window. */
interface LimitExcess {
  readonly limit: CountedLimit
  readonly subjectId: string
}

/** Applies limits to requests. */
export type LiveLimits = ReturnType<typeof createLiveLimits>

export function createLiveLimits(parts: {
  db: Database
  ledger: Pick<Ledger, 'nodeId' | 'heartbeat'>
  options: Options
  follower: Follower
  clock?: ClockMs | undefined
  onFailure: (error: unknown) => void
}) {
  const { db, ledger, options, follower, clock = databaseClockMs(db), onFailure } = parts
  const listeners: ((excess: LimitExcess) => void)[] = []
  let byId: ReadonlyMap<number, LiveLimit> = new Map()
  let applicable: ApplicableLimits | undefined
  let isStarted = false
  const limiter = new Limiter({
    db,
    clock,
    node: ledger,
    failsOpen,
    onExcess(limit, subjectId) {
      if (limit.action === 'notify' && !byId.get(limit.id)?.set_by_admin) return
      for (const listener of listeners) listener({ limit, subjectId })
    },
    onFailure,
  })
  const learned = new LearnedLimits(db, onFailure)

  function failsOpen(measure: LimitMeasure): boolean {
    return measure === 'quota' ? options.get(OPTIONS.BudgetLimitsFailOpen) : !options.get(OPTIONS.RateLimitsFailClosed)
  }

  async function load(): Promise<void> {
    const limits = await readLimits(db.reader)
    byId = new Map(limits.map((limit) => [limit.id, limit]))
    limiter.reload(byId)
    applicable = limits.length === 0 ? undefined : new ApplicableLimits(limits, limiter)
  }

  const toGatewayError = (error: unknown): unknown =>
    error instanceof LimitReached
      ? limitReached(error.counter, { nowMs: limiter.nowMs, display: quotaDisplay(options) })
      : error

  return {
    /** Finds the limits of a request. Undefined if no limits exist. A change of a limit replaces this object. */
    get applicable(): ApplicableLimits | undefined {
      return applicable
    },
    /** The upstreams' own limits. */
    learned,
    /** Unix milliseconds of the database's clock. */
    get nowMs(): number {
      return limiter.nowMs
    },
    /** Loads the limits, and reloads them after changes. */
    async start(): Promise<void> {
      if (isStarted) return
      isStarted = true
      follower.on('limit', load)
      await load()
    },
    /**
     * Takes amounts from all limits of a request, or from none. Returns the hold itself if this process has enough in
     * memory, otherwise a promise. Rejects with LIMIT_REACHED, and with DATABASE_UNAVAILABLE if a limit fails closed.
     * Without `queued`, the request does not wait in a queue.
     */
    acquire(counters: readonly Counter[], use: LimitUse, queued?: Queued): Ready<LimitHold> {
      const hold = acquire(limiter, counters, use, queued)
      if (!(hold instanceof Promise)) return hold
      return hold.catch((error) => {
        throw toGatewayError(error)
      })
    },
    /** Calls the listener when a limit is exceeded for the first time in a window. */
    onExcess: (listener: (excess: LimitExcess) => void): void => void listeners.push(listener),
    /** Gives back unused amounts to the database. */
    async close(): Promise<void> {
      await limiter.close()
      await learned.close()
    },
  }
}

export const isLimitReached = (error: unknown): boolean =>
  error instanceof GatewayError && error.code === 'LIMIT_REACHED'
