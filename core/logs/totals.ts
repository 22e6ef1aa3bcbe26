import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Database } from '../db/database.ts'
import { applyFilter, type LogFilter } from './filter.ts'

/** Rows with ids near the newest may be uncommitted: they are counted each time. */
const MARGIN_IDS = 5_000
/** After this time a total is counted from the start again, which limits any error. */
const TRUSTED_MS = 600_000
const REMEMBERED_MAX = 500
/** A list does not wait longer for a total that is counted from the start again: it shows the last one, which may have deleted rows. */
const RECOUNT_MS = { trusted: 200, deleted: 2000 }
/** The row of `meta` that changes whenever log rows are deleted. */
export const DELETED_KEY = 'logs_deleted'

/** The row of `meta` with the time up to which rows were cleared, unix seconds: older counts cannot be compared with the log. */
export const CLEARED_KEY = 'log_cleared_before'

interface Remembered {
  /** The number of matching rows up to this id. */
  boundary: number
  below: number
  /** The deletion counter at the time of counting. */
  deleted: string
  countedMs: number
}

/**
 * Counts the log rows of a filter without counting all each time: rows never change, so until rows are deleted, a total grows
 * only by rows with higher ids.
 */
export function createTotals(db: Database): (filter: LogFilter) => Promise<number> {
  const remembered = new Map<string, Remembered>()
  const recounts = new Map<string, Promise<number>>()

  /** Counts matching rows after an id, and those up to the new boundary. */
  async function count(filter: LogFilter, { after, boundary }: { after: number; boundary: number }) {
    // Two counts: one that also compares ids would read each row instead of an index only.
    const [row] = await db.reader.select({ total: countAfter(filter, after), above: countAfter(filter, boundary) })
    return { total: Number(row.total), below: Number(row.total) - Number(row.above) }
  }

  function countAfter(filter: LogFilter, id: number): Knex.QueryBuilder {
    if (id === 0) return db.reader('logs').modify(applyFilter, filter).count('*')
    // Use the primary key for the few rows after an id; SQLite would otherwise read all rows of a user or model.
    const logs: Knex.QueryBuilder =
      db.kind === 'sqlite' ? db.reader(db.reader.raw('logs NOT INDEXED')) : db.reader('logs')
    return logs.modify(applyFilter, filter).where('logs.id', '>', id).count('*')
  }

  /** Counts the rows above those of `base`, and remembers the sum. */
  async function countFrom(
    base: Pick<Remembered, 'boundary' | 'below' | 'countedMs'>,
    { filter, deleted, boundary }: { filter: LogFilter; deleted: string; boundary: number },
  ): Promise<number> {
    const key = JSON.stringify(filter)
    const { total, below } = await count(filter, { after: base.boundary, boundary })
    remembered.delete(key)
    remembered.set(key, {
      boundary: Math.max(boundary, base.boundary),
      below: boundary > base.boundary ? base.below + below : base.below,
      deleted,
      countedMs: base.countedMs,
    })
    const [oldest] = remembered.keys()
    if (remembered.size > REMEMBERED_MAX && oldest !== undefined) remembered.delete(oldest)
    return base.below + total
  }

  return async (filter) => {
    const key = JSON.stringify(filter)
    const [newest, meta] = await Promise.all([
      db.reader('logs').max({ id: 'id' }).first(),
      db.reader('meta').where({ key: DELETED_KEY }).first('value'),
    ])
    const deleted = String(meta?.value ?? '')
    const boundary = Math.max(0, Number(newest?.id ?? 0) - MARGIN_IDS)
    const known = remembered.get(key)
    if (known?.deleted === deleted && performance.now() - known.countedMs < TRUSTED_MS) {
      return countFrom(known, { filter, deleted, boundary })
    }
    // One that began before a deletion may have the deleted rows.
    const recountKey = `${deleted} ${key}`
    let recount = recounts.get(recountKey)
    if (!recount) {
      const start = { boundary: 0, below: 0, countedMs: performance.now() }
      recount = countFrom(start, { filter, deleted, boundary }).finally(() => recounts.delete(recountKey))
      recounts.set(recountKey, recount)
    }
    if (!known) return recount
    const waiting = new AbortController()
    const waitMs = known.deleted === deleted ? RECOUNT_MS.trusted : RECOUNT_MS.deleted
    const late = sleep(waitMs, undefined, { signal: waiting.signal, ref: false }).then(
      async () => known.below + (await count(filter, { after: known.boundary, boundary })).total,
    )
    // The one that loses is not awaited.
    for (const total of [recount, late]) total.catch(() => {})
    return Promise.race([recount, late]).finally(() => waiting.abort())
  }
}

/** Records that log rows were deleted, in the transaction that deletes them. */
export const RECORD_DELETION = `INSERT INTO meta (key, value) VALUES ('${DELETED_KEY}', '1')
  ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(meta.value AS bigint) + 1 AS varchar(20))`

/** Records that rows older than `before` are being cleared. */
export async function recordCleared(trx: Knex.Transaction, before: number): Promise<void> {
  const known = await trx('meta').where({ key: CLEARED_KEY }).forUpdate().first('value')
  const value = String(Math.max(before, Number(known?.value ?? 0)))
  await trx('meta').insert({ key: CLEARED_KEY, value }).onConflict('key').merge({ value })
}
