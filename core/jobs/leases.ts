import type { Knex } from 'knex'
import type { Clock } from '../db/clock.ts'
import type { Database } from '../db/database.ts'

/** A holder that is not heard of for so long has lost its lease. */
export const LEASE_TTL_S = 30
/** No lease ends later than this: one that does was written before the database's clock was set back. */
const BELIEVED_S = 10 * LEASE_TTL_S

/**
 * Rights that one process has at a time, such as leading. They save work that several would do; they make nothing safe: a
 * process that slept through the end of its lease still believes that it has it. So whoever acts under a lease must be
 * guarded by the row that it acts on.
 */
export interface Leases {
  /** Takes a lease that nobody has, or keeps one's own for another 30 seconds. Answers whether one has it now. */
  take(name: string, holder: string): Promise<boolean>
  /** Gives it up, so that another can take it at once. */
  giveUp(name: string, holder: string): Promise<void>
  /** Who has it; undefined when nobody has. */
  find(name: string): Promise<string | undefined>
}

export function createLeases({ db, clock }: { db: Database; clock: Clock }): Leases {
  return {
    take: (name, holder) => db.transaction(async (trx) => takeLease(trx, { name, holder, now: await clock(trx) })),
    giveUp: (name, holder) => db.transaction((trx) => giveUpLease(trx, { name, holder })),
    async find(name) {
      const row = await db
        .reader('leases')
        .where({ name })
        .modify(inForce, await clock(db.reader))
        .first('holder')
      return row?.holder
    },
  }
}

/** Of two who race for a lease, the database picks one: taking it is one statement. */
export async function takeLease(
  trx: Knex.Transaction,
  { name, holder, now }: { name: string; holder: string; now: number },
): Promise<boolean> {
  const taken = await trx('leases')
    .insert({ name, holder, expires_at: now + LEASE_TTL_S })
    .onConflict('name')
    .merge()
    .where((open) =>
      open
        .where('leases.holder', holder)
        .orWhere('leases.expires_at', '<=', now)
        .orWhere('leases.expires_at', '>', now + BELIEVED_S),
    )
    .returning('name')
  return taken.length > 0
}

export async function giveUpLease(
  trx: Knex.Transaction,
  { name, holder }: { name: string; holder: string },
): Promise<void> {
  await trx('leases').where({ name, holder }).delete()
}

/** For queries of `leases`: those that somebody has. */
export function inForce(query: Knex.QueryBuilder, now: number): void {
  query.where('expires_at', '>', now).where('expires_at', '<=', now + BELIEVED_S)
}
