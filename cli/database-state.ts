import { existsSync, statSync } from 'node:fs'
import type { Config } from '../core/config.ts'
import { pendingMigrations, refuseForeign, refuseNewer } from '../core/db/migrate.ts'
import { MIGRATIONS } from '../core/db/migrations/list.ts'
import { openDatabase } from '../core/db/open.ts'
import { CommandError } from './errors.ts'
import type { Texts } from './texts.ts'

const SQLITE = 'sqlite:'

/** What there is at the address of a database: nothing of ours yet, or tables with so many migrations to come. */
export type DatabaseState = { exists: false } | { exists: true; pending: string[] }

/** Looks without changing anything. Throws what opening throws, DATABASE_NEWER and DATABASE_FOREIGN. */
export async function databaseState({ databaseUrl }: Pick<Config, 'databaseUrl'>): Promise<DatabaseState> {
  // Opening a SQLite file that does not exist would make it.
  const file = sqliteFile(databaseUrl)
  if (file !== undefined && (!existsSync(file) || statSync(file).size === 0)) return { exists: false }
  const db = await openDatabase(databaseUrl)
  try {
    await refuseNewer(db)
    await refuseForeign(db)
    const pending = await pendingMigrations(db.reader)
    return pending.length === MIGRATIONS.length ? { exists: false } : { exists: true, pending }
  } finally {
    await db.close()
  }
}

/** Whether there may be a database: a SQLite file is not opened for it, since each command asks. */
export async function isDatabaseThere(config: Pick<Config, 'databaseUrl'>): Promise<boolean> {
  const file = sqliteFile(config.databaseUrl)
  if (file === undefined) return (await databaseState(config)).exists
  return existsSync(file) && statSync(file).size > 0
}

/** What a command says that needs a database, and must not make one. */
export function databaseMissing(
  { say }: Pick<Texts, 'say'>,
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
): CommandError {
  const name = sqliteFile(databaseUrl) ?? withoutPassword(databaseUrl)
  return new CommandError('DATABASE_MISSING', say`there is no database at ${name}. Make one with: tollgate init`)
}

const withoutPassword = (databaseUrl: string): string => databaseUrl.replace(/:[^:@/]*@/, ':***@')

/** The path of a SQLite database; undefined for a server. */
export function sqliteFile(databaseUrl: string): string | undefined {
  return databaseUrl.startsWith(SQLITE) ? databaseUrl.slice(SQLITE.length) : undefined
}
