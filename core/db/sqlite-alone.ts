import { createRequire } from 'node:module'
import { errorCode } from '../error-parts.ts'
import { GatewayError } from '../errors.ts'
import { execute, type SqliteConnection } from './sqlite-connection.ts'
import { isDamage } from './sqlite-guard.ts'

/** Maximum time to wait for another process, because it may be reading only briefly. */
const BUSY_TIMEOUT_MS = 1000

/**
 * Checks that no other process has a SQLite database open, and merges the WAL into the file. Blocks other processes
 * until the returned function is called (https://sqlite.org/pragma.html#pragma_locking_mode). Throws DATABASE_IN_USE. A
 * damaged file cannot be locked. Then the file stays unchanged and the returned function does nothing.
 */
export async function lockSqlite(file: string): Promise<() => Promise<void>> {
  const connection = await connect(file)
  const close = () => new Promise<void>((resolve) => connection.close(() => resolve()))
  try {
    // Leave WAL mode, so that the database is a single file. SQLite rejects this while another process has the database
    // open.
    for (const pragma of [`busy_timeout = ${BUSY_TIMEOUT_MS}`, 'locking_mode = EXCLUSIVE', 'journal_mode = DELETE'])
      await execute(connection, `PRAGMA ${pragma}`)
    await execute(connection, 'BEGIN EXCLUSIVE; COMMIT')
    return close
  } catch (cause) {
    await close()
    if (isDamage(cause)) return async () => {}
    if (/^SQLITE_(BUSY|LOCKED)/.test(errorCode(cause)))
      throw new GatewayError('DATABASE_IN_USE', { database: file }, { cause })
    throw cause
  }
}

function connect(file: string): Promise<SqliteConnection> {
  const { Database, OPEN_READWRITE }: typeof import('sqlite3') = createRequire(import.meta.url)('sqlite3')
  return new Promise((resolve, reject) => {
    const connection: SqliteConnection = new Database(file, OPEN_READWRITE, (error) =>
      error ? reject(error) : resolve(connection),
    )
  })
}
