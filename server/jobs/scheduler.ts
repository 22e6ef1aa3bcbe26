import type { Jobs } from '../../core/jobs/jobs.ts'
import { LEASE_TTL_S, type Leases } from '../../core/jobs/leases.ts'
import type { Job } from './job.ts'
import { everySeconds, type JobRunner, RENEW_EVERY_MS } from './runner.ts'

const TICK_MS = 1000
/** Interval at which followers check whether there is a leader. */
const CHECK_EVERY_MS = 2000

/**
 * Creates a scheduler, which starts due jobs while this process holds the lease. Start times are stored only in the
 * database, so a restart or a new leader keeps the schedule.
 */
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
}) {
  const schedules = list.map((job) => ({ name: job.name, everyS: everySeconds(job) }))
  let leadsUntil = 0
  let nextCheckAt = 0
  let isRegistered = false
  let timer: NodeJS.Timeout | undefined
  let currentTick: Promise<void> | undefined
  let isClosed = false

  async function acquireLead(): Promise<boolean> {
    const at = now()
    const isLeader = at < leadsUntil
    if (at < nextCheckAt) return isLeader
    nextCheckAt = at + CHECK_EVERY_MS
    // Followers only read the lease, because trying to acquire it is a write.
    if (!isLeader && ((await leases.find(lease)) ?? node) !== node) return false
    const isAcquired = await leases.acquire(lease, node)
    leadsUntil = isAcquired ? at + LEASE_TTL_S * 1000 : 0
    if (!isAcquired) return false
    nextCheckAt = at + RENEW_EVERY_MS
    if (!isLeader) isRegistered = false
    return true
  }

  async function startDueJobs(): Promise<void> {
    if (!(await acquireLead())) return
    if (!isRegistered) await jobs.register(lease, schedules)
    isRegistered = true
    const due = new Set(await jobs.due(schedules))
    for (const job of list.filter(({ name }) => due.has(name))) {
      if (isClosed) return
      await runner.start(job)
    }
  }

  function tick(): Promise<void> {
    if (isClosed) return Promise.resolve()
    currentTick ??= startDueJobs()
      .catch((error) => void (isClosed || onFailure(error)))
      .finally(() => {
        currentTick = undefined
      })
    return currentTick
  }

  return {
    /** Calls `tick` once a second. */
    start(): void {
      timer = setInterval(tick, TICK_MS).unref()
    },
    /** Acquires the lease if it is free, and starts due jobs without waiting for their end. */
    tick,
    /** Stops checking. Releases the lease, so that another process takes over within seconds. */
    async close(): Promise<void> {
      isClosed = true
      clearInterval(timer)
      await currentTick
      if (leadsUntil > 0) await leases.release(lease, node).catch(onFailure)
    },
  }
}
