import type { Jobs } from '../../core/jobs/jobs.ts'
import { LEASE_TTL_S, type Leases } from '../../core/jobs/leases.ts'
import type { Job } from './job.ts'
import { everySeconds, type JobRunner, RENEW_EVERY_MS } from './runner.ts'

const TICK_MS = 1000
/** Interval at which followers check for a leader. */
const LOOK_EVERY_MS = 2000

/** Starts due jobs while this process holds the leader's lease. */
export interface Scheduler {
  /** Checks once a second from now on. */
  start(): void
  /** Acquires leadership if it is free, and starts due jobs without waiting for their end. */
  tick(): Promise<void>
  /** Stops checking, and releases the lease so that another process takes over within seconds. */
  close(): Promise<void>
}

/** Start times are only in the database, so that a restart or a new leader keeps the schedule. */
export function createScheduler({
  lease,
  list,
  jobs,
  leases,
  runner,
  node,
  now = () => performance.now(),
  onFailure,
}: {
  lease: string
  list: readonly Job[]
  jobs: Jobs
  leases: Leases
  runner: Pick<JobRunner, 'start'>
  node: string
  /** Milliseconds of a monotonic clock. */
  now?: () => number
  onFailure: (error: unknown) => void
}): Scheduler {
  const turns = list.map((job) => ({ name: job.name, everyS: everySeconds(job) }))
  let leadsUntil = 0
  let looksAt = 0
  let registered = false
  let timer: NodeJS.Timeout | undefined
  let ticking: Promise<void> | undefined
  let closed = false

  async function leads(): Promise<boolean> {
    const at = now()
    const led = at < leadsUntil
    if (at < looksAt) return led
    looksAt = at + LOOK_EVERY_MS
    // Followers only read, because acquiring a lease is a write.
    if (!led && ((await leases.find(lease)) ?? node) !== node) return false
    const taken = await leases.acquire(lease, node)
    leadsUntil = taken ? at + LEASE_TTL_S * 1000 : 0
    if (!taken) return false
    looksAt = at + RENEW_EVERY_MS
    if (!led) registered = false
    return true
  }

  async function look(): Promise<void> {
    if (!(await leads())) return
    if (!registered) await jobs.register(lease, turns)
    registered = true
    const due = new Set(await jobs.due(turns))
    for (const job of list.filter(({ name }) => due.has(name))) {
      if (closed) return
      await runner.start(job)
    }
  }

  function tick(): Promise<void> {
    if (closed) return Promise.resolve()
    ticking ??= look()
      .catch((error) => void (closed || onFailure(error)))
      .finally(() => {
        ticking = undefined
      })
    return ticking
  }

  return {
    start() {
      timer = setInterval(tick, TICK_MS).unref()
    },
    tick,
    async close() {
      closed = true
      clearInterval(timer)
      await ticking
      if (leadsUntil > 0) await leases.release(lease, node).catch(onFailure)
    },
  }
}
