import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import knex from 'knex'
import { GatewayError } from '../errors.ts'
import { QUIET } from './database.ts'
import { refuseForeign } from './migrate.ts'

/** Opens the file without changing it or its log. */
const READ_ONLY = 'mode=ro'
/**
 * Opens the file and ignores its log and journal. Also works if a killed process left a journal, which only a writer can roll
 * back.
 */
const FILE_ALONE = 'mode=ro&immutable=1'

/**
 * Throws DATABASE_FOREIGN if another program created the file and was killed, or is running. Opening such a database as usual
 * would merge its log or roll back its journal, and so change the file.
 */
export async function refuseForeignFile(file: string): Promise<void> {
  const [hasLog, hasJournal] = [existsSync(`${file}-wal`), existsSync(`${file}-journal`)]
  if (!existsSync(file) || !(hasLog || hasJournal)) return
  // If the log has no shared-memory file, reading the log creates one. So the database is read without its log first.
  const isShared = existsSync(`${file}-shm`)
  for (const mode of hasJournal || !isShared ? [FILE_ALONE, READ_ONLY] : [READ_ONLY, FILE_ALONE]) {
    if (await isRecognized(file, mode)) return
  }
}

/** Returns whether the file was recognized as a database of Tollgate. Throws DATABASE_FOREIGN. */
async function isRecognized(file: string, mode: string): Promise<boolean> {
  const reader = knex({
    client: 'sqlite3',
    connection: { filename: `${pathToFileURL(file).href}?${mode}`, flags: ['OPEN_URI'] },
    useNullAsDefault: true,
    ...QUIET,
    pool: { min: 0, max: 1 },
  })
  try {
    await refuseForeign({ reader, name: file })
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
