import { statSync } from 'node:fs'
import type { Database } from './database.ts'
import { pendingMigrations } from './migrate.ts'
import { countRows } from './page.ts'

const COUNTED_TABLES = ['users', 'tokens', 'channels', 'redemptions', 'midjourneys', 'tasks'] as const

/** Size, migrations and row counts of a database. */
export interface DatabaseFacts {
  kind: Database['kind']
  /** The address without its password. */
  database: string
  bytes: number
  /** Bytes in SQLite's WAL that are not yet in the main file; 0 for PostgreSQL. */
  wal_bytes: number
  applied: { name: string; applied_at: number }[]
  pending: string[]
  /** Number of rows per table. For the log, an estimate from the ids. Empty before the first migration. */
  rows: Record<string, number>
}

/** Returns the facts of a database. Only reads. */
export async function databaseFacts(db: Database): Promise<DatabaseFacts> {
  const { kind, name, reader } = db
  const pending = await pendingMigrations(reader)
  const applied = (await reader.schema.hasTable('migrations'))
    ? await reader('migrations').orderBy('id').select<DatabaseFacts['applied']>('name', 'applied_at')
    : []
  return { kind, database: name, ...(await sizes(db)), applied, pending, rows: applied.length ? await counts(db) : {} }
}

async function sizes({ kind, name, reader }: Database): Promise<Pick<DatabaseFacts, 'bytes' | 'wal_bytes'>> {
  if (kind === 'sqlite') return { bytes: sizeOf(name), wal_bytes: sizeOf(`${name}-wal`) }
  const { rows } = await reader.raw<{ rows: { bytes: number }[] }>(
    'SELECT pg_database_size(current_database()) AS bytes',
  )
  return { bytes: Number(rows[0]?.bytes ?? 0), wal_bytes: 0 }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

async function counts({ reader }: Database): Promise<Record<string, number>> {
  const rows: Record<string, number> = {}
  for (const table of COUNTED_TABLES) rows[table] = await countRows(reader(table))
  const log = await reader('logs').min({ first: 'id' }).max({ last: 'id' }).first()
  rows.logs = log?.last ? Number(log.last) - Number(log.first) + 1 : 0
  return rows
}
