import type { Knex } from 'knex'
import type { Database } from './database.ts'

/**
 * On PostgreSQL, the log has one partition per month of UTC. The default partition takes the rows of months without a
 * partition, so such rows cause no error. https://www.postgresql.org/docs/current/ddl-partitioning.html
 */

/** Number of months after the current one for which partitions are created in advance. */
const MONTHS_AHEAD = 3
/** Maximum number of months with partitions, because each partition increases the planning time of all queries. */
const MONTHS_MAX = 120
/** Maximum time to wait for the lock on the log. Short, because later statements on the log wait for it too. */
const LOCK_TIMEOUT_MS = 500

interface Partition {
  name: string
  /** Unix seconds, exclusive. Undefined for the default partition. */
  end: number | undefined
}

/** Creates partitions for this and the next months, and drops empty past ones. Returns the number of changes. */
export async function keepPartitions(db: Database): Promise<number> {
  const now = Date.now() / 1000
  const created = await createPartitions(db, { from: now, to: monthAfter(now, MONTHS_AHEAD) })
  return created + (await dropEmptyPartitions(db, monthAfter(now, 0)))
}

/**
 * Creates missing partitions from the month of `from` to the month of `to`, both in Unix seconds. Skips months that
 * have rows in the default partition, because a partition cannot be created for existing rows. Returns the number of
 * created partitions. Does nothing on SQLite.
 */
export async function createPartitions(db: Database, { from, to }: { from: number; to: number }): Promise<number> {
  if (db.kind !== 'postgres') return 0
  // Limit the range, because the times of imported rows can be wrong.
  const latest = Math.min(to, monthAfter(Date.now() / 1000, MONTHS_AHEAD))
  const earliest = Math.max(from, monthAfter(latest, -MONTHS_MAX))
  const partitions = await readPartitions(db.reader)
  let created = 0
  for (let start = monthAfter(earliest, 0); start <= latest; start = monthAfter(start, 1)) {
    if (hasPartition(partitions, start)) continue
    const isCreated = await changePartitions(db, async (trx) => {
      // Another process may have created the partition meanwhile.
      if (hasPartition(await readPartitions(trx), start) || (await hasRows(trx, start))) return false
      await trx.raw('CREATE TABLE ?? (LIKE logs_rest INCLUDING ALL)', [nameOf(start)])
      await trx.raw(`ALTER TABLE logs ATTACH PARTITION ?? FOR VALUES FROM (${start}) TO (${monthAfter(start, 1)})`, [
        nameOf(start),
      ])
      return true
    })
    if (isCreated) created += 1
  }
  return created
}

const hasPartition = (partitions: readonly Partition[], start: number): boolean =>
  partitions.some(({ name, end = 0 }) => name === nameOf(start) || (name === 'logs_past' && end > start))

/** Returns whether the default partition has rows of a month. */
async function hasRows(trx: Knex.Transaction, start: number): Promise<boolean> {
  const rows = trx('logs_rest').where('created_at', '>=', start).where('created_at', '<', monthAfter(start, 1))
  return (await rows.first('id')) !== undefined
}

/** Drops empty partitions that end before a time, to free disk space. Returns the number of dropped partitions. */
async function dropEmptyPartitions(db: Database, before: number): Promise<number> {
  if (db.kind !== 'postgres') return 0
  const isEmpty = async (trx: Knex, name: string) => (await trx(name).first('id')) === undefined
  let dropped = 0
  for (const { name, end } of await readPartitions(db.reader)) {
    if (end === undefined || end > before || !(await isEmpty(db.reader, name))) continue
    const isDropped = await changePartitions(db, async (trx) => {
      await trx.raw('LOCK TABLE ONLY logs IN ACCESS EXCLUSIVE MODE')
      const isKnown = (await readPartitions(trx)).some((partition) => partition.name === name)
      if (!isKnown || !(await isEmpty(trx, name))) return false
      await trx.raw('DROP TABLE ??', [name])
      return true
    })
    if (isDropped) dropped += 1
  }
  return dropped
}

/** Runs `change` in a transaction with a short lock timeout, while no other process changes partitions. */
function changePartitions(db: Database, change: (trx: Knex.Transaction) => Promise<boolean>): Promise<boolean> {
  return db.transaction(async (trx) => {
    await trx.raw(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`)
    await db.serialize(trx, 'log partitions')
    return change(trx)
  })
}

async function readPartitions(db: Knex): Promise<Partition[]> {
  const { rows } = await db.raw<{ rows: { name: string; bounds: string }[] }>(`
    SELECT relname AS name, pg_get_expr(relpartbound, pg_class.oid) AS bounds
    FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'logs'::regclass ORDER BY relname`)
  return rows.map(({ name, bounds }) => {
    const [, end] = / TO \('?(\d+)'?\)$/.exec(bounds) ?? []
    return { name, end: end === undefined ? undefined : Number(end) }
  })
}

/** Returns the start of the month that is `months` after the month of `time`, all in Unix seconds. */
function monthAfter(time: number, months: number): number {
  const date = new Date(time * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months) / 1000
}

const nameOf = (start: number): string => `logs_${new Date(start * 1000).toISOString().slice(0, 7).replace('-', '_')}`
