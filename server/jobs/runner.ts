import { GatewayError } from '../../core/errors.ts'
import type { Jobs } from '../../core/jobs/jobs.ts'
import { LEASE_TTL_S } from '../../core/jobs/leases.ts'
import type { Job } from './job.ts'

export const RENEW_EVERY_MS = 10_000

/** Carries jobs out, started by their turn or by somebody who asks. */
export interface JobRunner {
  /**
   * Begins a run in the background, as soon as the job's turn has come, or `now`. Answers `running` and `early` as
   * `Jobs.begin` does. Throws STOPPING.
   */
  start(job: Job, options?: { now?: boolean }): Promise<'begun' | 'running' | 'early'>
  /** Aborts what runs and waits for it. */
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
  /** Hears of a job's failure when it is another than that of its last run here: what is down stays down for a while. */
  onFailure: (error: unknown, job: string) => void
  renewEveryMs?: number
  leaseMs?: number
}): JobRunner {
  const stopping = new AbortController()
  const underWay = new Set<Promise<unknown>>()
  const lastFailures = new Map<string, string>()
  let runs = 0

  function track<T>(work: Promise<T>): Promise<T> {
    underWay.add(work)
    const gone = () => void underWay.delete(work)
    work.then(gone, gone)
    return work
  }

  function failed(error: unknown, name: string): void {
    const failure = JSON.stringify([reasonOf(error), error instanceof GatewayError ? error.params : {}])
    if (lastFailures.get(name) !== failure) onFailure(error, name)
    lastFailures.set(name, failure)
  }

  async function carryOut(job: Job, holder: string): Promise<void> {
    const { name } = job
    const lost = new AbortController()
    const signal = AbortSignal.any([stopping.signal, lost.signal])
    // Who cannot renew does not hear that another has begun either.
    const lapse = setTimeout(() => lost.abort(), leaseMs).unref()
    const renew = async () => {
      if (await jobs.renew({ name, holder })) lapse.refresh()
      else lost.abort()
    }
    const renewing = setInterval(() => void renew().catch((error) => onFailure(error, name)), renewEveryMs).unref()
    let outcome: string
    try {
      const said = await job.run(signal)
      outcome = said ? `done: ${said}` : 'done'
      if (!signal.aborted) lastFailures.delete(name)
    } catch (error) {
      outcome = `failed: ${reasonOf(error)}`
      if (!signal.aborted) failed(error, name)
    } finally {
      clearInterval(renewing)
      clearTimeout(lapse)
    }
    if (signal.aborted) outcome = 'stopped'
    await jobs.end({ name, holder, outcome }).catch((error) => onFailure(error, name))
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
      // A run that was being begun is under way only afterwards.
      while (underWay.size > 0) await Promise.allSettled(underWay)
    },
  }
}

/** Rows have whole seconds. */
export function everySeconds({ everyMs }: Job): number {
  return Math.max(1, Math.round(everyMs / 1000))
}

function reasonOf(error: unknown): string {
  if (error instanceof GatewayError) return error.code
  return error instanceof Error ? error.message : String(error)
}
