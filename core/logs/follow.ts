import type { Knex } from 'knex'
import type { Database } from '../db/database.ts'
import { GatewayError } from '../errors.ts'
import type { Secrets } from '../secrets.ts'
import { LOG_ROW_COLUMNS, type StoredLog } from './rows.ts'

/**
 * A position in the growing log, from which the next step returns each new row once. On PostgreSQL, a row with a lower
 * id may be committed after a row with a higher id. So a position has the highest id seen and the lower ids that had no
 * row yet.
 */
interface LogPosition {
  /** The highest id seen. */
  high: number
  /** The lower ids that had no row yet, above `high - LATE_IDS`. */
  missing: readonly number[]
}

/** If an id is this far below the highest id, its row is committed, or never will be. */
const LATE_IDS = 1000
/** Maximum number of ids that one step scans. */
const STEP_IDS = 5000
/** A call for the rows of one user returns after about this many rows. */
const OWN_ROWS = 1000
/** A call for the rows of one user returns after this many steps, even with fewer rows. */
const OWN_STEPS_MAX = 20

interface FollowStep {
  rows: StoredLog[]
  /** The position after the rows. */
  position: LogPosition
  /** Whether more rows may already exist, so that the caller can take the next step immediately. */
  more: boolean
}

/** Returns the newest `last` rows of a query, oldest first. */
export async function lastRows(
  db: Database,
  matching: Knex.QueryBuilder,
  { last, order }: { last: number; order: { column: string; order: 'asc' | 'desc' }[] },
): Promise<FollowStep> {
  const newest = await db.reader('logs').max({ id: 'id' }).first()
  const high = Number(newest?.id ?? 0)
  const ids = await idsAfter(db, high - LATE_IDS)
  const position = positionAfter({ high, missing: [] }, ids)
  if (last === 0) return { rows: [], position, more: false }
  const rows: StoredLog[] = await matching
    .where('logs.id', '<=', position.high)
    .orderBy(order)
    .limit(last)
    .select(LOG_ROW_COLUMNS)
  const missing = new Set(position.missing)
  return { rows: rows.filter(({ id }) => !missing.has(id)).reverse(), position, more: false }
}

/** Returns the new rows of a query, oldest first. */
export async function rowsSince(db: Database, matching: Knex.QueryBuilder, before: LogPosition): Promise<FollowStep> {
  const ids = await idsAfter(db, before.high - LATE_IDS)
  const position = positionAfter(before, ids)
  const seen = new Set(ids)
  const late = before.missing.filter((id) => seen.has(id))
  const more = ids.length === STEP_IDS
  if (position.high === before.high && late.length === 0) return { rows: [], position, more }
  const rows: StoredLog[] = await matching
    .where((either) =>
      either
        .where((later) => later.where('logs.id', '>', before.high).where('logs.id', '<=', position.high))
        .orWhereIn('logs.id', late),
    )
    .orderBy('logs.id')
    .select(LOG_ROW_COLUMNS)
  // Skip rows that were committed after the ids were read. The new position lists them as missing, so the next step
  // returns them.
  return { rows: rows.filter(({ id }) => seen.has(id)), position, more }
}

/**
 * Does the same as `rowsSince` for the rows of one user. `more` depends only on the user's own rows, so that it reveals
 * nothing about other users. If other users have very many new rows, this call does not scan all of them. The next call
 * continues.
 */
export async function ownRowsSince(
  db: Database,
  matching: Knex.QueryBuilder,
  before: LogPosition,
): Promise<FollowStep> {
  const rows: StoredLog[] = []
  let position = before
  for (let steps = 0; steps < OWN_STEPS_MAX && rows.length < OWN_ROWS; steps += 1) {
    const step = await rowsSince(db, matching.clone(), position)
    rows.push(...step.rows)
    position = step.position
    if (!step.more) break
  }
  return { rows, position, more: rows.length >= OWN_ROWS }
}

async function idsAfter({ reader }: Database, id: number): Promise<number[]> {
  return reader('logs').where('id', '>', id).orderBy('id').limit(STEP_IDS).pluck('id')
}

function positionAfter(before: LogPosition, ids: readonly number[]): LogPosition {
  const high = Math.max(before.high, ids.at(-1) ?? 0)
  const seen = new Set(ids)
  const missing: number[] = []
  for (let id = Math.max(1, high - LATE_IDS + 1); id < high; id += 1) if (!seen.has(id)) missing.push(id)
  return { high, missing }
}

/** Returns a position as encrypted text, because ids reveal how many requests all users make. */
export function sealPosition(secrets: Secrets, { high, missing }: LogPosition): string {
  return secrets.seal(JSON.stringify({ high, missing: toRanges(missing.map((id) => high - id)) }))
}

/** Returns the position in a cursor that `sealPosition` returned. Throws LOG_CURSOR_INVALID. */
export function openPosition(secrets: Secrets, cursor: string): LogPosition {
  try {
    const { high, missing }: { high: number; missing: [number, number][] } = JSON.parse(secrets.open(cursor))
    if (!Number.isInteger(high)) throw new Error('No position in the log')
    return { high, missing: fromRanges(missing).map((back) => high - back) }
  } catch (cause) {
    throw new GatewayError('LOG_CURSOR_INVALID', {}, { cause })
  }
}

/** Returns numbers as ranges. Missing ids are mostly consecutive, so ranges keep the cursor short. */
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
