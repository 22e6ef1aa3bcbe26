import { GatewayError } from '../../core/errors.ts'
import type { Jobs } from '../../core/jobs/jobs.ts'
import { LEASE_TTL_S } from '../../core/jobs/leases.ts'
import type { Job } from './job.ts'

export const RENEW_EVERY_MS = 10_000

/** Runs jobs by schedule or on request. */
export interface JobRunner {
  /** Begins a run in the background if the job is due, or `now`. Returns `running` and `early` as `Jobs.begin`. Throws STOPPING. */
  start(job: Job, options?: { now?: boolean }): Promise<'begun' | 'running' | 'early'>
  /** Aborts all runs and waits for them. */
  close(): Promise<void>
}

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
  /** Called with a job's failure if it differs from the last one in this process, since outages last. */
  onFailure: (error: unknown, job: string) => void
  renewEveryMs?: number
  leaseMs?: number
}): JobRunner {
  const stopping = new AbortController()
  const underWay = new Set<Promise<unknown>>()
  const lastFailures = new Map<string, string>()
  /** Jobs whose failure has not become a notice yet, so that a later run must report it. */
  const untold = new Set<string>()
  let runs = 0

  function track<T>(work: Promise<T>): Promise<T> {
    underWay.add(work)
    const gone = () => void underWay.delete(work)
    work.then(gone, gone)
    return work
  }

  /** Returns whether the job's last failure in this process was different. */
  function failed(error: unknown, name: string): boolean {
    const failure = JSON.stringify([reasonOf(error), error instanceof GatewayError ? error.params : {}])
    const isNew = lastFailures.get(name) !== failure
    if (isNew) onFailure(error, name)
    lastFailures.set(name, failure)
    return isNew
  }

  async function carryOut(job: Job, holder: string): Promise<void> {
    const { name } = job
    const lost = new AbortController()
    const signal = AbortSignal.any([stopping.signal, lost.signal])
    // A process that cannot renew its lease also cannot learn that another one has begun.
    const lapse = setTimeout(() => lost.abort(), leaseMs).unref()
    const renew = async () => {
      if (await jobs.renew({ name, holder })) lapse.refresh()
      else lost.abort()
    }
    const renewing = setInterval(() => void renew().catch((error) => onFailure(error, name)), renewEveryMs).unref()
    let outcome: string
    let failure: string | undefined
    try {
      const said = await job.run(signal)
      outcome = said ? `done: ${said}` : 'done'
      if (!signal.aborted) {
        lastFailures.delete(name)
        untold.delete(name)
      }
    } catch (error) {
      outcome = `failed: ${reasonOf(error)}`
      if (!signal.aborted && (failed(error, name) || untold.has(name))) failure = reasonOf(error)
    } finally {
      clearInterval(renewing)
      clearTimeout(lapse)
    }
    if (signal.aborted) outcome = 'stopped'
    const isTold = await jobs.end({ name, holder, outcome, failure }).catch((error) => {
      onFailure(error, name)
      return false
    })
    if (failure !== undefined) untold[isTold ? 'delete' : 'add'](name)
  }

  async function start(job: Job, now: boolean) {
    const holder = `${node}/${++runs}`
    const begun = await jobs.begin({ name: job.name, holder, everyS: now ? undefined : everySeconds(job) })
    if (begun === 'begun') void track(carryOut(job, holder))
    return begun
  }

  return {
    async start(job, { now = false } = {}) {
      if (stopping.signal.aborted) throw new GatewayError('STOPPING')
      return track(start(job, now))
    },
    async close() {
      stopping.abort()
      // A run that is still beginning is added only after it has begun.
      while (underWay.size > 0) await Promise.allSettled(underWay)
    },
  }
}

/** Rows store whole seconds. */
export function everySeconds({ everyMs }: Job): number {
  return Math.max(1, Math.round(everyMs / 1000))
}

function reasonOf(error: unknown): string {
  if (error instanceof GatewayError) return error.code
  return error instanceof Error ? error.message : String(error)
}
