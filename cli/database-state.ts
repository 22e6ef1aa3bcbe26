import { existsSync, statSync } from 'node:fs'
import type { Config } from '../core/config.ts'
import { pendingMigrations, refuseNewer } from '../core/db/migrate.ts'
import { MIGRATIONS } from '../core/db/migrations/list.ts'
import { openDatabase } from '../core/db/open.ts'

const SQLITE = 'sqlite:'

/** What there is at the address of a database: nothing of ours yet, or tables with so many migrations to come. */
export type DatabaseState = { exists: false } | { exists: true; pending: string[] }

/** Looks without changing anything. Throws what opening throws, and DATABASE_NEWER. */
export async function databaseState({ databaseUrl }: Pick<Config, 'databaseUrl'>): Promise<DatabaseState> {
  // Opening a SQLite file that does not exist would make it.
  const file = sqliteFile(databaseUrl)
  if (file !== undefined && (!existsSync(file) || statSync(file).size === 0)) return { exists: false }
  const db = await openDatabase(databaseUrl)
  try {
    await refuseNewer(db)
    const pending = await pendingMigrations(db.reader)
    return pending.length === MIGRATIONS.length ? { exists: false } : { exists: true, pending }
  } finally {
    await db.close()
  }
}

/** The path of a SQLite database; undefined for a server. */
export function sqliteFile(databaseUrl: string): string | undefined {
  return databaseUrl.startsWith(SQLITE) ? databaseUrl.slice(SQLITE.length) : undefined
}
