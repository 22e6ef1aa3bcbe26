import type { Knex } from 'knex'
import type { Database } from '../db/database.ts'
import { inParts } from '../in-parts.ts'
import { LOG_TYPE } from '../logs/log.ts'

/**
 * Finds the accounts whose balance, budgets or windows of quota changed since the last check. Each change leaves rows:
 * charges leave log rows, other payments ledger entries, and edits rows of the change feed. Windows store the time of
 * their last share.
 */

/** The newest ids of the tables, and the newest time of a window in Unix seconds. */
type Position = Readonly<Record<(typeof NAMES)[number], number>>

/** The position of the last check. It is stored after the notices of the check, so that a crash loses no notices. */
interface Cursor {
  /** All rows up to this position were compared. Undefined if unknown. */
  readonly settled?: Position
  /** A later position. When all transactions that ran at the time `seenAt` have ended, it becomes `settled`. */
  readonly seen: Position
  /** Unix seconds. */
  readonly seenAt: number
  /** PostgreSQL only: the first transaction id that was not assigned yet at the time `seenAt`. */
  readonly xmax?: string
}

/** The newest row ids, read at the start of a check, before the accounts. */
interface NewestRows {
  readonly newest: Position
  /** PostgreSQL only: the oldest running transaction id, and the first transaction id that is not assigned yet. */
  readonly running?: { readonly xmin: string; readonly xmax: string }
}

const NAMES = ['logs', 'ledger_entries', 'changes', 'limit_windows'] as const
const CURSOR_KEY = 'notice-levels-cursor'
/** A transaction may get the ids of its rows a moment before its own id. After this time, it has its own id too. */
const LATE_S = 30
const IDS_PER_READ = 5_000
/** Maximum number of new rows to read. If there are more, comparing all accounts is faster. */
const ROWS_MAX = 200_000
/** Maximum age of a cursor, because older rows of the change feed may be removed. */
const AGE_MAX_S = 12 * 3600
/** Interval at which the cursor is written if nothing changes. */
const IDLE_S = 3600
export const IDS_PER_QUERY = 500

export async function readCursor(db: Knex): Promise<Cursor | undefined> {
  const row = await db('meta').where({ key: CURSOR_KEY }).first('value')
  return row && JSON.parse(row.value)
}

/** Moves the cursor, unless another process has moved it. If `to` is undefined, deletes the cursor. */
export async function storeCursor(
  trx: Knex.Transaction,
  { from, to }: { from: Cursor | undefined; to: Cursor | undefined },
): Promise<void> {
  const key = CURSOR_KEY
  const value = JSON.stringify(to)
  if (!to) await trx('meta').where({ key }).delete()
  else if (from)
    await trx('meta')
      .where({ key, value: JSON.stringify(from) })
      .update({ value })
  else await trx('meta').insert({ key, value }).onConflict('key').ignore()
}

/** Returns the newest row ids. A row that is committed later has a higher id, or its transaction is running now. */
export async function readNewestRows({ kind, reader }: Pick<Database, 'kind' | 'reader'>): Promise<NewestRows> {
  const max = async (table: keyof Position, column: string) => {
    const row = await reader(table).max({ newest: column }).first()
    return Number(row?.newest ?? 0)
  }
  const newest = {
    logs: await max('logs', 'id'),
    ledger_entries: await max('ledger_entries', 'id'),
    changes: await max('changes', 'id'),
    limit_windows: await max('limit_windows', 'updated_at'),
  }
  if (kind === 'sqlite') return { newest }
  // Read the snapshot after the ids, so that each transaction that wrote one of these ids has an id below `xmax`.
  const snapshot = await reader.raw(
    'SELECT pg_snapshot_xmin(s)::text AS xmin, pg_snapshot_xmax(s)::text AS xmax FROM pg_current_snapshot() AS s',
  )
  return { newest, running: snapshot.rows[0] }
}

/** Returns the cursor after a check. `newest` and `running` were read at the start of the check. */
export function nextCursor(cursor: Cursor | undefined, { newest, running }: NewestRows, now: number): Cursor {
  const isIdle = cursor?.settled && isEqual(cursor.settled, newest) && isEqual(cursor.seen, newest)
  if (isIdle && now - cursor.seenAt < IDLE_S) return cursor
  // SQLite has only one writer, so ids are committed in order.
  if (!running) return { settled: newest, seen: newest, seenAt: now }
  const next = { seen: newest, seenAt: now, xmax: running.xmax }
  if (!cursor?.xmax || isOlder(cursor, { newest, running })) return next
  const hasEnded = BigInt(running.xmin) >= BigInt(cursor.xmax) && now - cursor.seenAt >= LATE_S
  return hasEnded ? { ...next, settled: cursor.seen } : cursor
}

const isEqual = (one: Position, other: Position): boolean => NAMES.every((name) => one[name] === other[name])

/** Returns whether rows or transaction ids are older than at the last check, as in a restored database. */
function isOlder({ seen, xmax }: Cursor, { newest, running }: NewestRows): boolean {
  return (
    NAMES.some((name) => newest[name] < seen[name]) ||
    (running !== undefined && xmax !== undefined && BigInt(running.xmax) < BigInt(xmax))
  )
}

/** Returns the users whose balance, keys or windows changed since the last check. Undefined means all users. */
export async function changedUsers(
  { reader }: Pick<Database, 'reader'>,
  cursor: Cursor | undefined,
  { newestRows, now }: { newestRows: NewestRows; now: number },
): Promise<number[] | undefined> {
  const from = cursor?.settled
  if (!from || isOlder(cursor, newestRows) || now - cursor.seenAt > AGE_MAX_S) return undefined
  const { newest } = newestRows
  const tables = ['logs', 'ledger_entries', 'changes'] as const
  if (tables.reduce((rows, table) => rows + newest[table] - from[table], 0) > ROWS_MAX) return undefined

  const users = new Set<number>()
  const edited = { user: new Set<string>(), token: new Set<string>(), limit: new Set<string>() }
  const forRanges = (table: keyof Position, work: (rows: Knex.QueryBuilder) => Promise<void>) =>
    inRanges({ after: from[table], upTo: newest[table] }, (range) => work(reader(table).whereBetween('id', range)))
  const addUsers = async (rows: Knex.QueryBuilder) => {
    for (const id of await rows.distinct().pluck('user_id')) users.add(Number(id))
  }
  await forRanges('logs', (rows) => addUsers(rows.where({ type: LOG_TYPE.consumption })))
  await forRanges('ledger_entries', addUsers)
  await forRanges('changes', async (rows) => {
    const changes: { entity: keyof typeof edited; entity_id: string }[] = await rows
      .whereIn('entity', Object.keys(edited))
      .distinct('entity', 'entity_id')
    for (const { entity, entity_id } of changes) edited[entity].add(entity_id)
  })
  for (const { subject, subject_id } of await changedWindows(reader, from.limit_windows, [...edited.limit])) {
    edited[subject].add(subject_id)
  }
  for (const id of edited.user) users.add(Number(id))
  for (const id of await ownersOf(reader, [...edited.token].map(Number))) users.add(id)
  for (const id of await usersAboveLevel(reader)) users.add(id)
  return [...users]
}

/** Calls `work` with ranges of ids, so that each query reads few rows. */
async function inRanges(
  { after, upTo }: { after: number; upTo: number },
  work: (range: [number, number]) => Promise<void>,
): Promise<void> {
  for (let from = after + 1; from <= upTo; from += IDS_PER_READ) {
    await work([from, Math.min(upTo, from + IDS_PER_READ - 1)])
  }
}

/** Returns the subjects whose windows of quota have new shares or an edited limit. */
async function changedWindows(
  db: Knex,
  since: number,
  limitIds: readonly string[],
): Promise<{ subject: 'user' | 'token'; subject_id: string }[]> {
  const windows = () =>
    db('limit_windows')
      .join('limits', 'limits.id', 'limit_windows.limit_id')
      .where('limits.measure', 'quota')
      .whereIn('limits.subject', ['user', 'token'])
      .distinct<{ subject: 'user' | 'token'; subject_id: string }[]>(
        'limits.subject as subject',
        'limit_windows.subject_id as subject_id',
      )
  const rows = await windows().where('limit_windows.updated_at', '>=', since)
  for (const ids of inParts(limitIds, IDS_PER_QUERY))
    rows.push(...(await windows().whereIn('limit_windows.limit_id', ids)))
  return rows
}

async function ownersOf(db: Knex, tokenIds: readonly number[]): Promise<number[]> {
  const owners = new Set<number>()
  for (const ids of inParts(tokenIds, IDS_PER_QUERY)) {
    for (const id of await db('tokens').whereIn('id', ids).distinct().pluck('user_id')) owners.add(Number(id))
  }
  return [...owners]
}

/** Returns the users of windows that have reached a threshold, because the end of a window leaves no rows. */
async function usersAboveLevel(db: Knex): Promise<number[]> {
  return db('notice_levels')
    .where('subject', '>=', 'limit:')
    .where('subject', '<', 'limit;')
    .where('level', '>', 0)
    .distinct()
    .pluck('user_id')
}
