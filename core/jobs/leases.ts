import type { Knex } from 'knex'
import type { Clock } from '../db/clock.ts'
import type { Database } from '../db/database.ts'

/** A lease expires if its holder does not renew it within this time. */
export const LEASE_TTL_S = 30
/** A lease with a longer remaining time is invalid, because the database's clock was set back. */
const REMAINING_MAX_S = 10 * LEASE_TTL_S

/**
 * Exclusive rights of one process, such as the right to start jobs. Duplicate work is rare, but possible, because
 * a suspended process does not notice that its lease has expired. Code that runs under a lease must therefore also
 * check the rows that it changes.
 */
export type Leases = ReturnType<typeof createLeases>

export function createLeases({ db, clock }: { db: Database; clock: Clock }) {
  return {
    /** Acquires a free lease, or renews the holder's own lease, for LEASE_TTL_S. Returns whether the holder has it. */
    acquire: (name: string, holder: string): Promise<boolean> =>
      db.transaction(async (trx) => acquireLease(trx, { name, holder, now: await clock(trx) })),
    /** Releases the lease, so that another process can acquire it immediately. */
    release: (name: string, holder: string): Promise<void> =>
      db.transaction((trx) => releaseLease(trx, { name, holder })),
    /** Returns the holder of a lease, or undefined if the lease is free. */
    async find(name: string): Promise<string | undefined> {
      const row = await db
        .reader('leases')
        .where({ name })
        .modify(whereValid, await clock(db.reader))
        .first('holder')
      return row?.holder
    },
  }
}

/** Acquires or renews a lease, like `Leases.acquire`, in one statement, so that only one process gets it. */
export async function acquireLease(
  trx: Knex.Transaction,
  { name, holder, now }: { name: string; holder: string; now: number },
): Promise<boolean> {
  const acquiredRows = await trx('leases')
    .insert({ name, holder, expires_at: now + LEASE_TTL_S })
    .onConflict('name')
    .merge()
    .where((open) =>
      open
        .where('leases.holder', holder)
        .orWhere('leases.expires_at', '<=', now)
        .orWhere('leases.expires_at', '>', now + REMAINING_MAX_S),
    )
    .returning('name')
  return acquiredRows.length > 0
}

export async function releaseLease(
  trx: Knex.Transaction,
  { name, holder }: { name: string; holder: string },
): Promise<void> {
  await trx('leases').where({ name, holder }).delete()
}

/** Limits a query of `leases` to leases that are valid at `now` (Unix seconds). */
export function whereValid(query: Knex.QueryBuilder, now: number): void {
  query.where('expires_at', '>', now).where('expires_at', '<=', now + REMAINING_MAX_S)
}
