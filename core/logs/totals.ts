import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Database } from '../db/database.ts'
import { applyFilter, type LogFilter } from './filter.ts'

/** Rows with ids this close to the newest id are counted each time, because lower ids may be committed later. */
const MARGIN_IDS = 5_000
/** After this time, a total is counted again from the first row. This removes errors of the cache. */
const TRUSTED_MS = 600_000
/** Maximum number of filters whose totals are cached. */
const REMEMBERED_MAX = 500
/**
 * Maximum time that a list waits for a new count. After it, the list shows the cached total plus new rows, which may
 * include deleted rows. The time is longer if rows were deleted since the cached total was counted.
 */
const RECOUNT_MS = { trusted: 200, deleted: 2000 }
/** Key of the row of `meta` that changes whenever log rows are deleted. */
const DELETED_KEY = 'logs_deleted'

/** Key of `meta` for the time (Unix seconds) up to which rows were cleared. Earlier counts do not match the log. */
export const CLEARED_KEY = 'log_cleared_before'

/** A cached total. */
interface CachedTotal {
  /** The highest counted id. */
  boundary: number
  /** The number of matching rows up to `boundary`. */
  below: number
  /** The value of the row DELETED_KEY at the time of counting. */
  deleted: string
  /** When counting from the first row began, in milliseconds of the monotonic clock. */
  countedMs: number
}

/**
 * Returns a function that counts the log rows of a filter. Rows never change, so until rows are deleted, only rows with
 * higher ids are added. The function caches totals, and then counts only the added rows.
 */
export function createTotals(db: Database): (filter: LogFilter) => Promise<number> {
  const totals = new Map<string, CachedTotal>()
  const recounts = new Map<string, Promise<number>>()

  /** Counts the matching rows with ids above `after` (`total`), and those of them up to `boundary` (`below`). */
  async function count(filter: LogFilter, { after, boundary }: { after: number; boundary: number }) {
    // Use two counts. A single one with a condition per row would read each row instead of only an index.
    const [row] = await db.reader.select({ total: countAfter(filter, after), above: countAfter(filter, boundary) })
    return { total: Number(row.total), below: Number(row.total) - Number(row.above) }
  }

  function countAfter(filter: LogFilter, id: number): Knex.QueryBuilder {
    if (id === 0) return db.reader('logs').modify(applyFilter, filter).count('*')
    // Make SQLite use the primary key, because few rows have such high ids. With another index, it would read all rows
    // of a user or model.
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
    const cachedTotal = totals.get(key)
    if (cachedTotal?.deleted === deleted && performance.now() - cachedTotal.countedMs < TRUSTED_MS) {
      return countFrom(cachedTotal, { filter, deleted, boundary })
    }
    // The key includes the deletion counter, because a count that began before a deletion may include the deleted rows.
    const recountKey = `${deleted} ${key}`
    let recount = recounts.get(recountKey)
    if (!recount) {
      const start = { boundary: 0, below: 0, countedMs: performance.now() }
      recount = countFrom(start, { filter, deleted, boundary }).finally(() => recounts.delete(recountKey))
      recounts.set(recountKey, recount)
    }
    if (!cachedTotal) return recount
    const waiting = new AbortController()
    const waitMs = cachedTotal.deleted === deleted ? RECOUNT_MS.trusted : RECOUNT_MS.deleted
    const late = sleep(waitMs, undefined, { signal: waiting.signal, ref: false }).then(
      async () => cachedTotal.below + (await count(filter, { after: cachedTotal.boundary, boundary })).total,
    )
    // Nothing awaits the slower promise, so ignore its error.
    for (const total of [recount, late]) total.catch(() => {})
    return Promise.race([recount, late]).finally(() => waiting.abort())
  }
}

/** Records that log rows were deleted, in the transaction that deletes them. */
export const RECORD_DELETION = `INSERT INTO meta (key, value) VALUES ('${DELETED_KEY}', '1')
  ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(meta.value AS bigint) + 1 AS varchar(20))`

/** Records that rows older than `before` (Unix seconds) are being cleared. */
export async function recordCleared(trx: Knex.Transaction, before: number): Promise<void> {
  const existing = await trx('meta').where({ key: CLEARED_KEY }).forUpdate().first('value')
  const value = String(Math.max(before, Number(existing?.value ?? 0)))
  await trx('meta').insert({ key: CLEARED_KEY, value }).onConflict('key').merge({ value })
}
