import type { Knex } from 'knex'
import type { Statement } from 'sqlite3'
import type { SqliteConnection } from './sqlite-connection.ts'

const POLL_MS = 100
/** Number of polls between two checks whether the file was replaced. */
const FILE_CHECK_EVERY = 4

/**
 * Calls `onCommit` after commits of other connections, which change data_version
 * (https://sqlite.org/pragma.html#pragma_data_version). Only this function may use the pool. Returns a function that
 * stops watching and closes the pool.
 */
export async function watchCommits(
  pool: Knex,
  guard: { checkFile(): void },
  onCommit: () => void,
): Promise<() => Promise<void>> {
  const connection: SqliteConnection = await pool.client.acquireConnection()
  const dataVersion = await prepare(connection, 'PRAGMA data_version')
  let version = -1
  let stopped = false
  let timer: NodeJS.Timeout
  let polling: Promise<void> = Promise.resolve()
  let polls = 0
  const poll = async () => {
    if (polls++ % FILE_CHECK_EVERY === 0) guard.checkFile()
    const [row] = await rowsOf(dataVersion)
    if (row && row.data_version !== version) {
      version = row.data_version
      onCommit()
    }
  }
  const schedule = () => {
    timer = setTimeout(() => {
      polling = poll()
        .catch(() => {}) // The next poll checks a busy database again.
        .then(() => void (stopped || schedule()))
    }, POLL_MS)
    timer.unref()
  }
  await poll()
  schedule()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await polling
    await new Promise<void>((resolve) => dataVersion.finalize(() => resolve()))
    pool.client.releaseConnection(connection)
    await pool.destroy()
  }
}

/** Compiles a statement once. Knex would compile it for each call, which takes one more job in the thread pool. */
function prepare(connection: SqliteConnection, sql: string): Promise<Statement> {
  return new Promise((resolve, reject) => {
    const statement = connection.prepare(sql, (error) => (error ? reject(error) : resolve(statement)))
  })
}

function rowsOf(statement: Statement): Promise<{ data_version: number }[]> {
  return new Promise((resolve, reject) =>
    statement.all<{ data_version: number }>((error, rows) => (error ? reject(error) : resolve(rows))),
  )
}
