import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Database } from '../db/database.ts'
import { applyFilter, type LogFilter } from './filter.ts'

/** Rows whose ids are this close to the newest id are counted each time, because lower ids may not be committed yet. */
const MARGIN_IDS = 5_000
/** After this time, a total is counted again from the first row, so that errors do not last. */
const TRUSTED_MS = 600_000
/** Maximum number of filters whose totals are cached. */
const REMEMBERED_MAX = 500
/**
 * Maximum time that a list waits for a recount. Then it shows the cached total with new rows, which may include deleted rows.
 * `deleted`: rows were deleted since the cached total was counted.
 */
const RECOUNT_MS = { trusted: 200, deleted: 2000 }
/** The row of `meta` that changes whenever log rows are deleted. */
export const DELETED_KEY = 'logs_deleted'

/** The row of `meta` with the time (unix seconds) up to which rows were cleared. Older counts cannot be compared with the log. */
export const CLEARED_KEY = 'log_cleared_before'

/** A cached total. */
interface CachedTotal {
  /** The highest counted id. */
  boundary: number
  /** The number of matching rows up to `boundary`. */
  below: number
  /** The deletion counter at the time of counting. */
  deleted: string
  /** When the first row was counted, in milliseconds of the monotonic clock. */
  countedMs: number
}

/**
 * Returns a function that counts the log rows of a filter. It caches totals and then counts only rows with higher ids: rows never
 * change, so until rows are deleted, only such rows are added.
 */
export function createTotals(db: Database): (filter: LogFilter) => Promise<number> {
  const totals = new Map<string, CachedTotal>()
  const recounts = new Map<string, Promise<number>>()

  /** Counts the matching rows after an id (`total`), and how many of these are not above the new boundary (`below`). */
  async function count(filter: LogFilter, { after, boundary }: { after: number; boundary: number }) {
    // Use two counts: a single one with a condition per row would read each row instead of only an index.
    const [row] = await db.reader.select({ total: countAfter(filter, after), above: countAfter(filter, boundary) })
    return { total: Number(row.total), below: Number(row.total) - Number(row.above) }
  }

  function countAfter(filter: LogFilter, id: number): Knex.QueryBuilder {
    if (id === 0) return db.reader('logs').modify(applyFilter, filter).count('*')
    // Make SQLite use the primary key for the few rows after an id. Otherwise it would read all rows of a user or model.
    const logs: Knex.QueryBuilder =
      db.kind === 'sqlite' ? db.reader(db.reader.raw('logs NOT INDEXED')) : db.reader('logs')
    return logs.modify(applyFilter, filter).where('logs.id', '>', id).count('*')
  }

  /** Counts the rows above `base.boundary`, caches the new total and returns it. */
  async function countFrom(
    base: Pick<CachedTotal, 'boundary' | 'below' | 'countedMs'>,
    { filter, deleted, boundary }: { filter: LogFilter; deleted: string; boundary: number },
  ): Promise<number> {
    const key = JSON.stringify(filter)
    const { total, below } = await count(filter, { after: base.boundary, boundary })
    totals.delete(key)
    totals.set(key, {
      boundary: Math.max(boundary, base.boundary),
      below: boundary > base.boundary ? base.below + below : base.below,
      deleted,
      countedMs: base.countedMs,
    })
    const [oldest] = totals.keys()
    if (totals.size > REMEMBERED_MAX && oldest !== undefined) totals.delete(oldest)
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
    const known = totals.get(key)
    if (known?.deleted === deleted && performance.now() - known.countedMs < TRUSTED_MS) {
      return countFrom(known, { filter, deleted, boundary })
    }
    // The key includes the deletion counter: a recount that began before a deletion may include the deleted rows.
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
    // The slower promise is not awaited, so ignore its error.
    for (const total of [recount, late]) total.catch(() => {})
    return Promise.race([recount, late]).finally(() => waiting.abort())
  }
}

/** Records that log rows were deleted, in the transaction that deletes them. */
export const RECORD_DELETION = `INSERT INTO meta (key, value) VALUES ('${DELETED_KEY}', '1')
  ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(meta.value AS bigint) + 1 AS varchar(20))`

/** Records that rows older than `before` (unix seconds) are being cleared. */
export async function recordCleared(trx: Knex.Transaction, before: number): Promise<void> {
  const known = await trx('meta').where({ key: CLEARED_KEY }).forUpdate().first('value')
  const value = String(Math.max(before, Number(known?.value ?? 0)))
  await trx('meta').insert({ key: CLEARED_KEY, value }).onConflict('key').merge({ value })
}
