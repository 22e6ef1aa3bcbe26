import pg from 'pg'
import { errorProperty } from '../error-parts.ts'

/** Interval between checks of a running read. Dead connections are found in less than ten seconds. */
const CHECK_INTERVAL_MS = 6_000
const CHECK_TIMEOUT_MS = 3_000
/** Time after which a connection is destroyed if the server has not closed it. */
const END_MS = 1_000

/** A connection of `pg`, with properties that its types omit. */
export interface PgConnection extends pg.Client {
  /** Id of the server process. */
  readonly processID: number | null
  readonly connectionParameters: { query_timeout?: number }
  /** If set, Knex removes the connection from its pool. */
  __knex__disposed?: unknown
}

/**
 * Awaits a query that may take minutes. Regularly checks that the server still runs the query. If not, the reply was
 * lost or the server is dead, so the connection is destroyed.
 */
export async function whileServerWorks<T>(url: string, client: PgConnection, query: () => Promise<T>): Promise<T> {
  const { processID, connection } = client
  const timer = setInterval(async () => {
    if (!(await isWorking(url, processID))) connection.stream.destroy(new Error('Connection terminated: no reply'))
  }, CHECK_INTERVAL_MS)
  try {
    return await query()
  } finally {
    clearInterval(timer)
  }
}

/** Returns whether a server process runs a query. Unknown ids count as running: poolers report their own. */
async function isWorking(url: string, processId: number | null): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CHECK_TIMEOUT_MS,
    query_timeout: CHECK_TIMEOUT_MS,
  })
  client.on('error', () => {}) // The failing query reports the error too.
  try {
    await client.connect()
    const { rows } = await client.query<{ state: string | null }>('SELECT state FROM pg_stat_activity WHERE pid = $1', [
      processId ?? 0,
    ])
    return rows[0]?.state !== 'idle'
  } catch (error) {
    // An error from the server, such as too many connections, shows that the server is alive.
    return typeof errorProperty(error, 'severity') === 'string'
  } finally {
    void endConnection(client)
  }
}

/** Ends a connection. Destroys it if the server does not reply, so that its socket does not keep the process alive. */
export async function endConnection(client: pg.Client): Promise<void> {
  const { stream } = client.connection
  const timer = setTimeout(() => stream.destroy(), END_MS)
  try {
    await client.end()
  } catch {
    stream.destroy()
  } finally {
    clearTimeout(timer)
  }
}
