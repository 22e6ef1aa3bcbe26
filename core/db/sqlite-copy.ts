import type { Database } from './database.ts'

interface SqliteConnection {
  exec(sql: string, done: (error: Error | null) => void): void
  interrupt(): void
}

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
  const exec = (sql: string) =>
    new Promise<void>((resolve, reject) => connection.exec(sql, (error) => (error ? reject(error) : resolve())))
  const stop = () => connection.interrupt()
  try {
    signal.throwIfAborted()
    signal.addEventListener('abort', stop, { once: true })
    await exec('PRAGMA query_only = OFF')
    await exec(`VACUUM INTO '${file.replaceAll("'", "''")}'`)
  } finally {
    signal.removeEventListener('abort', stop)
    await exec('PRAGMA query_only = ON')
    reader.client.releaseConnection(connection)
  }
}
