import type { Jobs } from '../../core/jobs/jobs.ts'
import { LEASE_TTL_S, type Leases } from '../../core/jobs/leases.ts'
import type { Job } from './job.ts'
import { everySeconds, type JobRunner, RENEW_EVERY_MS } from './runner.ts'

const TICK_MS = 1000
/** How often those who do not lead look whether nobody does. */
const LOOK_EVERY_MS = 2000

/** Starts jobs when their turn has come, while this process holds the lease that stands for leading. */
export interface Scheduler {
  /** Looks once a second from now on. */
  start(): void
  /** One look: leads, if nobody else does, and begins what is due. It does not wait for what it began. */
  tick(): Promise<void>
  /** Looks no more, and gives the lead up so that another process takes over within seconds. */
  close(): Promise<void>
}

/** Times of turns stand in the database alone, so that a restart or another leader keeps their rhythm. */
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
  /** Milliseconds of a clock that nobody sets. */
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
    // Who does not lead only reads: to ask for the lease is to write.
    if (!led && ((await leases.find(lease)) ?? node) !== node) return false
    const taken = await leases.take(lease, node)
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
      if (leadsUntil > 0) await leases.giveUp(lease, node).catch(onFailure)
    },
  }
}
