import type { Database } from './database.ts'
import { execute, type SqliteConnection } from './sqlite-connection.ts'

/**
 * Writes a snapshot of a SQLite database to an empty file while other connections write
 * (https://sqlite.org/lang_vacuum.html#vacuuminto). Rejects if the signal aborts; the file is then incomplete.
 */
export async function copySqlite(
  { reader }: Pick<Database, 'reader'>,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const connection: SqliteConnection = await reader.client.acquireConnection()
  const stop = () => connection.interrupt()
  try {
    signal.throwIfAborted()
    signal.addEventListener('abort', stop, { once: true })
    await execute(connection, 'PRAGMA query_only = OFF')
    await execute(connection, `VACUUM INTO '${file.replaceAll("'", "''")}'`)
  } finally {
    signal.removeEventListener('abort', stop)
    await execute(connection, 'PRAGMA query_only = ON')
    reader.client.releaseConnection(connection)
  }
}
