import type { Static } from 'typebox'
import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Clock } from '../db/clock.ts'
import type { Database } from '../db/database.ts'
import { recordNotice } from '../notices/outbox.ts'
import { acquireLease, releaseLease, whereValid } from './leases.ts'
import type { JobSchema } from './schema.ts'

export type JobRecord = Static<typeof JobSchema>

interface JobSchedule {
  name: string
  /** Seconds from one start to the next. */
  everyS: number
}

/** One run of a job. Each run has a different holder, so that a process cannot run a job twice at the same time. */
interface JobRun {
  name: string
  holder: string
}

/** The state of regular jobs, which all processes share: the last start, end and outcome of each job. */
export interface Jobs {
  /** Returns all jobs, by name. Administrators only. Throws PERMISSION_DENIED. */
  list(actor: Actor): Promise<JobRecord[]>
  /** Returns the names of the `jobs` that are due and not running in any process. */
  due(jobs: readonly JobSchedule[]): Promise<string[]>
  /** Stores which jobs the holder of a lease starts, and how often. Other jobs no longer belong to the lease. */
  register(lease: string, jobs: readonly JobSchedule[]): Promise<void>
  /**
   * Begins a run. If two processes both believe that they hold the lease, only one begins. Returns `running` if the job
   * runs in any process, and `early` if it last began less than `everyS` seconds ago. Without `everyS`, a run is never
   * early.
   */
  begin(run: JobRun & { everyS?: number | undefined }): Promise<'begun' | 'running' | 'early'>
  /** Renews the lease of a run. Call this before the lease expires. Returns `false` if the run has lost its lease. */
  renew(run: JobRun): Promise<boolean>
  /**
   * Ends a run and stores its outcome, unless another run has the lease. `failure` is the reason of a failure, for a
   * notice. Omit it if the previous run failed for the same reason. Returns false if `failure` got no notice, because
   * the last notice was too recent or no target subscribes to it.
   */
  end(run: JobRun & { outcome: string; failure?: string | undefined }): Promise<boolean>
}

/** A start that is further in the future is ignored, because the database's clock was set back. */
const AHEAD_MAX_S = 60
const OUTCOME_LENGTH_MAX = 500
/** Minimum seconds between notices about one job that keeps failing. */
const QUIET_S = 900
/** Prefix of the names of the leases of runs. */
const RUN = 'job:'

/** Returns whether a job is due. Times are Unix seconds. */
export function isDue(startedAt: number, { everyS, now }: { everyS: number; now: number }): boolean {
  return startedAt <= now - everyS || startedAt > now + AHEAD_MAX_S
}

export function createJobs({ db, clock }: { db: Database; clock: Clock }): Jobs {
  /** Returns the holder of each valid lease. */
  async function holdersByLease(now: number): Promise<Map<string, string>> {
    const rows: { name: string; holder: string }[] = await db
      .reader('leases')
      .modify(whereValid, now)
      .select('name', 'holder')
    return new Map(rows.map(({ name, holder }) => [name, holder]))
  }

  return {
    async list(actor) {
      requireRole(actor, ROLE.admin)
      const leases = await holdersByLease(await clock(db.reader))
      const rows = await db.reader('jobs').orderBy('name').select()
      return rows.map(({ name, lease, every_s, started_at, finished_at, outcome }) => ({
        name,
        every: every_s,
        leader: leases.get(lease) ?? '',
        running: leases.has(RUN + name),
        started_at: Number(started_at),
        finished_at: Number(finished_at),
        outcome,
      }))
    },

    async due(jobs) {
      const now = await clock(db.reader)
      const leases = await holdersByLease(now)
      const rows: { name: string; started_at: number }[] = await db.reader('jobs').select('name', 'started_at')
      const startedAt = new Map(rows.map(({ name, started_at }) => [name, Number(started_at)]))
      const isJobDue = ({ name, everyS }: JobSchedule) => isDue(startedAt.get(name) ?? 0, { everyS, now })
      return jobs.filter((job) => !leases.has(RUN + job.name) && isJobDue(job)).map(({ name }) => name)
    },

    register: (lease, jobs) =>
      db.transaction(async (trx) => {
        const names = jobs.map(({ name }) => name)
        await trx('jobs').where({ lease }).whereNotIn('name', names).update({ lease: '', every_s: 0 })
        for (const { name, everyS } of jobs) {
          const row = { name, lease, every_s: everyS, started_at: 0 }
          await trx('jobs').insert(row).onConflict('name').merge(['lease', 'every_s'])
        }
      }),

    begin: ({ name, holder, everyS }) =>
      db.transaction(async (trx) => {
        const run = { name: RUN + name, holder }
        const now = await clock(trx)
        const latest = everyS === undefined ? Number.MAX_SAFE_INTEGER : now - everyS
        if (!(await acquireLease(trx, { ...run, now }))) return 'running'
        const begun = await trx('jobs')
          .insert({ name, started_at: now, finished_at: 0, outcome: '' })
          .onConflict('name')
          .merge()
          .where((due) => due.where('jobs.started_at', '<=', latest).orWhere('jobs.started_at', '>', now + AHEAD_MAX_S))
          .returning('name')
        if (begun.length > 0) return 'begun'
        await releaseLease(trx, run)
        return 'early'
      }),

    renew: ({ name, holder }) =>
      db.transaction(async (trx) => acquireLease(trx, { name: RUN + name, holder, now: await clock(trx) })),

    end: ({ name, holder, outcome, failure }) =>
      db.transaction(async (trx) => {
        const lease = await trx('leases')
          .where({ name: RUN + name })
          .forUpdate()
          .first('holder')
        if (lease && lease.holder !== holder) return true
        const storedOutcome = outcome.slice(0, OUTCOME_LENGTH_MAX)
        const now = await clock(trx)
        await trx('jobs').where({ name }).update({ finished_at: now, outcome: storedOutcome })
        await releaseLease(trx, { name: RUN + name, holder })
        if (failure === undefined) return true
        const data = { job: name, reason: failure.slice(0, OUTCOME_LENGTH_MAX) }
        const notice = { event: 'job.failed', subject: `job:${name}`, quietS: QUIET_S, data, now } as const
        return (await recordNotice(trx, notice)) !== undefined
      }),
  }
}
