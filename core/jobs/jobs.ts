import type { Static } from 'typebox'
import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Clock } from '../db/clock.ts'
import type { Database } from '../db/database.ts'
import { giveUpLease, inForce, takeLease } from './leases.ts'
import type { JobSchema } from './schema.ts'

export type JobRecord = Static<typeof JobSchema>

/** How often a job is to be started. */
export interface Turn {
  name: string
  everyS: number
}

/** One run of a job. The holder is of this run alone: the same process cannot run a job twice at once either. */
export interface JobRun {
  name: string
  holder: string
}

/** The book of regular work, shared by all processes: what runs, when it ran last, and how that ended. */
export interface Jobs {
  /** Administrators only, by name. */
  list(actor: Actor): Promise<JobRecord[]>
  /** Of these, the names of those whose turn has come and that do not run anywhere. */
  due(jobs: readonly Turn[]): Promise<string[]>
  /** Says which jobs the holder of a lease starts, and how often; others that were under this lease are so no more. */
  register(lease: string, jobs: readonly Turn[]): Promise<void>
  /**
   * Begins a run, unless one is under way in whatever process (`running`) or the last began less than `everyS` seconds ago
   * (`early`; never without `everyS`): two processes that both think they lead still start a job once.
   */
  begin(run: JobRun & { everyS?: number | undefined }): Promise<'begun' | 'running' | 'early'>
  /** Says that a run goes on; to be called more often than a lease lasts. `false`: it was taken for dead. */
  renew(run: JobRun): Promise<boolean>
  /** Writes how a run ended, unless it was taken for dead and another has begun since. */
  end(run: JobRun & { outcome: string }): Promise<void>
}

/** A start that is further in the future was written before the database's clock was set back, and is not believed. */
const AHEAD_MAX_S = 60
const OUTCOME_LENGTH_MAX = 500
/** Leases of runs stand among the others. */
const RUN = 'job:'

/** Whether a job's turn has come. Times in unix seconds. */
export function isDue(startedAt: number, { everyS, now }: { everyS: number; now: number }): boolean {
  return startedAt <= now - everyS || startedAt > now + AHEAD_MAX_S
}

export function createJobs({ db, clock }: { db: Database; clock: Clock }): Jobs {
  /** Who holds what. */
  async function held(now: number): Promise<Map<string, string>> {
    const rows: { name: string; holder: string }[] = await db
      .reader('leases')
      .modify(inForce, now)
      .select('name', 'holder')
    return new Map(rows.map(({ name, holder }) => [name, holder]))
  }

  return {
    async list(actor) {
      requireRole(actor, ROLE.admin)
      const leases = await held(await clock(db.reader))
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
      const leases = await held(now)
      const rows: { name: string; started_at: number }[] = await db.reader('jobs').select('name', 'started_at')
      const startedAt = new Map(rows.map(({ name, started_at }) => [name, Number(started_at)]))
      const hasCome = ({ name, everyS }: Turn) => isDue(startedAt.get(name) ?? 0, { everyS, now })
      return jobs.filter((job) => !leases.has(RUN + job.name) && hasCome(job)).map(({ name }) => name)
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
        if (!(await takeLease(trx, { ...run, now }))) return 'running'
        const begun = await trx('jobs')
          .insert({ name, started_at: now, finished_at: 0, outcome: '' })
          .onConflict('name')
          .merge()
          .where((due) => due.where('jobs.started_at', '<=', latest).orWhere('jobs.started_at', '>', now + AHEAD_MAX_S))
          .returning('name')
        if (begun.length > 0) return 'begun'
        await giveUpLease(trx, run)
        return 'early'
      }),

    renew: ({ name, holder }) =>
      db.transaction(async (trx) => takeLease(trx, { name: RUN + name, holder, now: await clock(trx) })),

    end: ({ name, holder, outcome }) =>
      db.transaction(async (trx) => {
        const own = await trx('leases')
          .where({ name: RUN + name })
          .forUpdate()
          .first('holder')
        if (own && own.holder !== holder) return
        const written = outcome.slice(0, OUTCOME_LENGTH_MAX)
        await trx('jobs')
          .where({ name })
          .update({ finished_at: await clock(trx), outcome: written })
        await giveUpLease(trx, { name: RUN + name, holder })
      }),
  }
}
