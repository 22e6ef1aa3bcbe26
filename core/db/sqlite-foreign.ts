import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import knex from 'knex'
import { GatewayError } from '../errors.ts'
import { QUIET } from './database.ts'
import { refuseForeign } from './migrate.ts'

/** Opens without any change to the database or its log. */
const READ_ONLY = 'mode=ro'
/** Ignores the files beside it. Works also if a killed process left a journal, which only a writer can undo. */
const FILE_ALONE = 'mode=ro&immutable=1'

/**
 * Throws DATABASE_FOREIGN if another program created the file and was killed, or is running. Opening and closing such a database
 * as usual would move its log or undo its journal, and so write to it.
 */
export async function refuseForeignFile(file: string): Promise<void> {
  const [hasLog, hasJournal] = [existsSync(`${file}-wal`), existsSync(`${file}-journal`)]
  if (!existsSync(file) || !(hasLog || hasJournal)) return
  // A log without its shared memory: reading it creates that file, so the database is read alone first.
  const isShared = existsSync(`${file}-shm`)
  for (const mode of hasJournal || !isShared ? [FILE_ALONE, READ_ONLY] : [READ_ONLY, FILE_ALONE]) {
    if (await isReadable(file, mode)) return
  }
}

/** Whether the file could be checked. Throws DATABASE_FOREIGN. */
async function isReadable(file: string, mode: string): Promise<boolean> {
  const reader = knex({
    client: 'sqlite3',
    connection: { filename: `${pathToFileURL(file).href}?${mode}`, flags: ['OPEN_URI'] },
    useNullAsDefault: true,
    ...QUIET,
    pool: { min: 0, max: 1 },
  })
  try {
    await refuseForeign({ reader, name: file })
    // An empty file alone says nothing: its tables may be in the log.
    return await reader.schema.hasTable('migrations')
  } catch (error) {
    if (error instanceof GatewayError) throw error
    // Damage is reported when the database is opened.
    return false
  } finally {
    await reader.destroy()
  }
}
