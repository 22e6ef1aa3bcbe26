import { errorMessage } from '../../core/error-parts.ts'
import { GatewayError } from '../../core/errors.ts'
import type { Jobs } from '../../core/jobs/jobs.ts'
import { LEASE_TTL_S } from '../../core/jobs/leases.ts'
import { createPendingWork } from '../pending-work.ts'
import type { Job } from './job.ts'

export const RENEW_EVERY_MS = 10_000

export type JobRunner = ReturnType<typeof createJobRunner>

export function createJobRunner({
  jobs,
  node,
  onFailure,
  renewEveryMs = RENEW_EVERY_MS,
  leaseMs = LEASE_TTL_S * 1000,
}: {
  jobs: Jobs
  /** This process's name, at most 50 characters. */
  node: string
  /**
   * Called with a job's failure if it differs from the job's last failure in this process, so that an outage is logged
   * once. Also called with each failure to store the state of a job.
   */
  onFailure: (error: unknown, job: string) => void
  renewEveryMs?: number
  leaseMs?: number
}) {
  const { signal: stopping, track, close } = createPendingWork()
  const lastFailures = new Map<string, string>()
  /** Jobs with a failure that no notice has reported yet. A later run must report it. */
  const unreportedJobs = new Set<string>()
  let runs = 0

  /** Records a job's failure. Returns whether it differs from the job's last failure in this process. */
  function recordFailure(error: unknown, name: string): boolean {
    const failure = JSON.stringify([reasonOf(error), error instanceof GatewayError ? error.params : {}])
    const isNew = lastFailures.get(name) !== failure
    if (isNew) onFailure(error, name)
    lastFailures.set(name, failure)
    return isNew
  }

  async function runJob(job: Job, holder: string): Promise<void> {
    const { name } = job
    const leaseLost = new AbortController()
    const signal = AbortSignal.any([stopping, leaseLost.signal])
    // A process that cannot renew its lease cannot detect whether another process has begun the job, so abort the run.
    const lapseTimer = setTimeout(() => leaseLost.abort(), leaseMs).unref()
    const renew = async () => {
      if (await jobs.renew({ name, holder })) lapseTimer.refresh()
      else leaseLost.abort()
    }
    const renewTimer = setInterval(() => void renew().catch((error) => onFailure(error, name)), renewEveryMs).unref()
    let outcome: string
    let failure: string | undefined
    try {
      const result = await job.run(signal)
      outcome = result ? `done: ${result}` : 'done'
      if (!signal.aborted) {
        lastFailures.delete(name)
        unreportedJobs.delete(name)
      }
    } catch (error) {
      outcome = `failed: ${reasonOf(error)}`
      if (!signal.aborted && (recordFailure(error, name) || unreportedJobs.has(name))) failure = reasonOf(error)
    } finally {
      clearInterval(renewTimer)
      clearTimeout(lapseTimer)
    }
    if (signal.aborted) outcome = 'stopped'
    const isReported = await jobs.end({ name, holder, outcome, failure }).catch((error) => {
      onFailure(error, name)
      return false
    })
    if (failure !== undefined) unreportedJobs[isReported ? 'delete' : 'add'](name)
  }

  async function start(job: Job, now: boolean) {
    const holder = `${node}/${++runs}`
    const beginState = await jobs.begin({ name: job.name, holder, everyS: now ? undefined : everySeconds(job) })
    if (beginState === 'begun') void track(runJob(job, holder))
    return beginState
  }

  return {
    /**
     * Begins a run in the background if the job is due. With `now`, the job need not be due. Returns `running` if an
     * earlier run has not ended, `early` if the job is not due, else `begun`. Throws STOPPING.
     */
    async start(job: Job, { now = false }: { now?: boolean } = {}): Promise<'begun' | 'running' | 'early'> {
      if (stopping.aborted) throw new GatewayError('STOPPING')
      return track(start(job, now))
    },
    /** Aborts all runs and waits for them. */
    close,
  }
}

/** Returns the job's interval in whole seconds, at least 1. The rows of jobs store whole seconds. */
export function everySeconds({ everyMs }: Job): number {
  return Math.max(1, Math.round(everyMs / 1000))
}

function reasonOf(error: unknown): string {
  return error instanceof GatewayError ? error.code : errorMessage(error)
}
