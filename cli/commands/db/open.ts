import type { Config } from '../../../core/config.ts'
import type { Database } from '../../../core/db/database.ts'
import { openDatabase } from '../../../core/db/open.ts'
import type { Cli } from '../../cli.ts'
import { databaseMissing, databaseState } from '../../database-state.ts'
import { localConfig } from '../../local/require-local.ts'

/**
 * Opens the local database without migrating or creating it. Throws errors of opening, DATABASE_NEWER, and
 * DATABASE_MISSING if there is no database.
 */
export async function withDatabase<T>(cli: Cli, work: (db: Database, config: Config) => Promise<T>): Promise<T> {
  const config = await localConfig(cli)
  if (!(await databaseState(config)).exists) throw databaseMissing(cli, config)
  const db = await openDatabase(config.databaseUrl)
  try {
    return await work(db, config)
  } finally {
    await db.close()
  }
}
