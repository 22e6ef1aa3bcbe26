import type { Knex } from 'knex'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import type { Secrets } from '../secrets.ts'
import { LOG_COLUMNS, type LogRow } from './rows.ts'

/*
 * Follows the log as it grows, and returns each row once. On PostgreSQL, a row with a lower id can be committed after a row with
 * a higher id. A place in the log therefore consists of the highest id seen and the lower ids that had no row yet.
 */
interface Place {
  /** The highest id seen. */
  high: number
  /** The lower ids that had no row yet, above `high - LATE_IDS`. */
  missing: readonly number[]
}

/** A row whose id is this far below the highest id is committed, or will never be. */
const LATE_IDS = 1000
/** Maximum number of ids that one step scans. */
const STEP_IDS = 5000
/** A reply with the rows of one user ends after this many rows … */
const OWN_ROWS = 1000
/** … or after this many steps. */
const OWN_STEPS_MAX = 20

export interface Step {
  rows: LogRow[]
  /** The place after the rows. */
  place: Place
  /** Whether more rows may exist already: the caller can take the next step at once. */
  more: boolean
}

/** Returns the newest `last` rows of a query, oldest first. */
export async function lastRows(
  db: Database,
  matching: Knex.QueryBuilder,
  { last, order }: { last: number; order: { column: string; order: 'asc' | 'desc' }[] },
): Promise<Step> {
  const newest = await db.reader('logs').max({ id: 'id' }).first()
  const high = Number(newest?.id ?? 0)
  const ids = await idsAfter(db, high - LATE_IDS)
  const place = placeAfter({ high, missing: [] }, ids)
  if (last === 0) return { rows: [], place, more: false }
  const rows: LogRow[] = await matching
    .where('logs.id', '<=', place.high)
    .orderBy(order)
    .limit(last)
    .select(...LOG_COLUMNS)
  const missing = new Set(place.missing)
  return { rows: rows.filter(({ id }) => !missing.has(id)).reverse(), place, more: false }
}

/** Returns the new rows of a query, oldest first. */
export async function rowsSince(db: Database, matching: Knex.QueryBuilder, before: Place): Promise<Step> {
  const ids = await idsAfter(db, before.high - LATE_IDS)
  const place = placeAfter(before, ids)
  const seen = new Set(ids)
  const late = before.missing.filter((id) => seen.has(id))
  const more = ids.length === STEP_IDS
  if (place.high === before.high && late.length === 0) return { rows: [], place, more }
  const rows: LogRow[] = await matching
    .where((either) =>
      either
        .where((later) => later.where('logs.id', '>', before.high).where('logs.id', '<=', place.high))
        .orWhereIn('logs.id', late),
    )
    .orderBy('logs.id')
    .select(...LOG_COLUMNS)
  // Skip rows that were committed after the ids were read. The new place lists them as missing, so the next step returns them.
  return { rows: rows.filter(({ id }) => seen.has(id)), place, more }
}

/**
 * Like `rowsSince`, for the rows of one user. `more` depends only on the user's own rows, so that it reveals nothing about other
 * users. If other users have very many new rows, it returns before it has scanned all of them, and the next call continues.
 */
export async function ownRowsSince(db: Database, matching: Knex.QueryBuilder, before: Place): Promise<Step> {
  const rows: LogRow[] = []
  let place = before
  for (let steps = 0; steps < OWN_STEPS_MAX && rows.length < OWN_ROWS; steps += 1) {
    const step = await rowsSince(db, matching.clone(), place)
    rows.push(...step.rows)
    place = step.place
    if (!step.more) break
  }
  return { rows, place, more: rows.length >= OWN_ROWS }
}

async function idsAfter({ reader }: Database, id: number): Promise<number[]> {
  return reader('logs').where('id', '>', id).orderBy('id').limit(STEP_IDS).pluck('id')
}

function placeAfter(before: Place, ids: readonly number[]): Place {
  const high = Math.max(before.high, ids.at(-1) ?? 0)
  const seen = new Set(ids)
  const missing: number[] = []
  for (let id = Math.max(1, high - LATE_IDS + 1); id < high; id += 1) if (!seen.has(id)) missing.push(id)
  return { high, missing }
}

/** Returns a place as encrypted text, because users must not learn how many requests all users make. */
export function sealPlace(secrets: Secrets, { high, missing }: Place): string {
  return secrets.seal(JSON.stringify({ high, missing: toRanges(missing.map((id) => high - id)) }))
}

/** Returns the place of a cursor that `sealPlace` returned. Throws LOG_CURSOR_INVALID. */
export function openPlace(secrets: Secrets, cursor: string): Place {
  try {
    const { high, missing } = JSON.parse(secrets.open(cursor)) as { high: number; missing: [number, number][] }
    if (!Number.isInteger(high)) throw new Error('No place in the log')
    return { high, missing: fromRanges(missing).map((back) => high - back) }
  } catch (cause) {
    throw new GatewayError('LOG_CURSOR_INVALID', {}, { cause })
  }
}

/** Returns numbers as ranges. Missing ids are mostly consecutive (cleared rows), so ranges keep the text short. */
function toRanges(numbers: readonly number[]): [number, number][] {
  const ranges: [number, number][] = []
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && last[1] === number - 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges
}

function fromRanges(ranges: readonly [number, number][]): number[] {
  return ranges.flatMap(([from, to]) => Array.from({ length: Math.min(LATE_IDS, to - from + 1) }, (_, at) => from + at))
}
