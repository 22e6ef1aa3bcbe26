import type { Database } from './database.ts'

interface SqliteConnection {
  exec(sql: string, done: (error: Error | null) => void): void
  interrupt(): void
}

/**
 * Writes all of a SQLite database as it is at this moment to an empty file, while others go on writing
 * (https://sqlite.org/lang_vacuum.html#vacuuminto). Rejects when the signal comes first; the file is then worth nothing.
 */
export async function copySqlite(
  { reader }: Pick<Database, 'reader'>,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const connection = (await reader.client.acquireConnection()) as SqliteConnection
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
