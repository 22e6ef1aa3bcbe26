import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import knex from 'knex'
import { GatewayError } from '../errors.ts'
import { NO_LOGGING } from './database.ts'
import { requireNotForeign } from './migrate.ts'

/** Opens the file without changing it or its write-ahead log. */
const READ_ONLY = 'mode=ro'
/** Opens the file without its log and journal. Works even with the journal of a killed process. */
const FILE_ALONE = 'mode=ro&immutable=1'

/**
 * Throws DATABASE_FOREIGN for the file of another program that is running or was killed. A normal open would change the
 * file, because SQLite would merge the log or roll back the journal.
 */
export async function requireNotForeignFile(file: string): Promise<void> {
  const [hasLog, hasJournal] = [existsSync(`${file}-wal`), existsSync(`${file}-journal`)]
  if (!existsSync(file) || !(hasLog || hasJournal)) return
  // If the shared-memory file is missing, SQLite would create this file to read the log. So read the database without
  // the log first.
  const isShared = existsSync(`${file}-shm`)
  for (const mode of hasJournal || !isShared ? [FILE_ALONE, READ_ONLY] : [READ_ONLY, FILE_ALONE]) {
    if (await isRecognized(file, mode)) return
  }
}

/** Returns whether the file is certainly a database of Tollgate. Throws DATABASE_FOREIGN for another program's. */
async function isRecognized(file: string, mode: string): Promise<boolean> {
  const reader = knex({
    client: 'sqlite3',
    connection: { filename: `${pathToFileURL(file).href}?${mode}`, flags: ['OPEN_URI'] },
    useNullAsDefault: true,
    ...NO_LOGGING,
    pool: { min: 0, max: 1 },
  })
  try {
    await requireNotForeign({ reader, name: file })
    // A file without tables proves nothing, because its tables may be in the log.
    return await reader.schema.hasTable('migrations')
  } catch (error) {
    if (error instanceof GatewayError) throw error
    // Damage is reported when the database is opened.
    return false
  } finally {
    await reader.destroy()
  }
}
