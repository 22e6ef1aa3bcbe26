import { statSync } from 'node:fs'
import type { Config } from '../core/config.ts'
import { pendingMigrations } from '../core/db/migrate.ts'
import { MIGRATIONS } from '../core/db/migrations/list.ts'
import { openDatabase } from '../core/db/open.ts'
import { requireUsable } from '../core/db/usable.ts'
import { withoutPassword } from '../core/db/without-password.ts'
import { errorCode, errorMessage } from '../core/error-parts.ts'
import { GatewayError } from '../core/errors.ts'
import { CommandError } from './errors.ts'
import type { Texts } from './texts.ts'

const SQLITE = 'sqlite:'

/** State of a database. `exists` is false for a missing or empty database. `pending`: names of migrations to apply. */
type DatabaseState = { exists: false } | { exists: true; pending: string[] }

/** Reads the state without changing the database. Throws errors of opening and of `requireUsable`. */
export async function databaseState({ databaseUrl }: Pick<Config, 'databaseUrl'>): Promise<DatabaseState> {
  // Opening a missing SQLite file would create it.
  const file = sqliteFile(databaseUrl)
  if (file !== undefined && sizeOf(file) === 0) return { exists: false }
  const db = await openDatabase(databaseUrl)
  try {
    await requireUsable(db)
    const pending = await pendingMigrations(db.reader)
    return pending.length === MIGRATIONS.length ? { exists: false } : { exists: true, pending }
  } finally {
    await db.close()
  }
}

/** Returns whether a database exists. Of a SQLite file, checks only the size, because opening the file is slow. */
export async function isDatabaseThere(config: Pick<Config, 'databaseUrl'>): Promise<boolean> {
  const file = sqliteFile(config.databaseUrl)
  if (file === undefined) return (await databaseState(config)).exists
  return sizeOf(file) > 0
}

/** Returns the size of a file; 0 if it is missing. Throws DATABASE_UNREACHABLE, such as for an unreadable folder. */
function sizeOf(file: string): number {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size ?? 0
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return 0
    throw new GatewayError('DATABASE_UNREACHABLE', { database: file, reason: errorMessage(error) }, { cause: error })
  }
}

/** Returns the error of a command that needs a database and must not create one. */
export function databaseMissing({ t }: Pick<Texts, 't'>, { databaseUrl }: Pick<Config, 'databaseUrl'>): CommandError {
  return new CommandError('DATABASE_MISSING', t('db.thereIsNoDatabase', { name: displayName(databaseUrl) }))
}

/** Returns the error of a command that acts as root without a root user, as after an interrupted import. */
export function rootMissing({ t }: Pick<Texts, 't'>, { databaseUrl }: Pick<Config, 'databaseUrl'>): CommandError {
  return new CommandError('ROOT_MISSING', t('db.theDatabaseAtHasNoRoot', { name: displayName(databaseUrl) }))
}

const displayName = (databaseUrl: string): string => sqliteFile(databaseUrl) ?? withoutPassword(databaseUrl)

/** Returns the path of a SQLite database; undefined for PostgreSQL. */
export function sqliteFile(databaseUrl: string): string | undefined {
  return databaseUrl.startsWith(SQLITE) ? databaseUrl.slice(SQLITE.length) : undefined
}
