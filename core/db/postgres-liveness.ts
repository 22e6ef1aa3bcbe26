import type { Socket } from 'node:net'
import pg from 'pg'
import { errorProperty } from '../error-parts.ts'

/**
 * Interval between the checks of a running read. Together with the duration of a check, a dead connection is detected within
 * ten seconds.
 */
const CHECK_INTERVAL_MS = 6_000
const CHECK_TIMEOUT_MS = 3_000
/** Time after which a connection is destroyed if the server has not closed it. */
const END_MS = 1_000

/** A connection of `pg`, with properties that its types omit. */
interface WatchedConnection {
  processID?: number | null
  connection?: { stream: Socket }
}

/**
 * Awaits a query that may take minutes. Regularly checks that the server still runs the query. If not, the reply was lost or the
 * server is dead, so the connection is destroyed.
 */
export async function whileServerWorks<T>(url: string, connection: unknown, query: () => Promise<T>): Promise<T> {
  const { processID, connection: wire } = connection as WatchedConnection
  const timer = setInterval(async () => {
    if (!(await isWorking(url, processID))) wire?.stream.destroy(new Error('Connection terminated: no reply'))
  }, CHECK_INTERVAL_MS)
  try {
    return await query()
  } finally {
    clearInterval(timer)
  }
}

/**
 * Returns whether a server process runs a query. An unknown process counts as running, because a pooler reports its own process
 * ids.
 */
async function isWorking(url: string, processId: number | null | undefined): Promise<boolean> {
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

/**
 * Ends a connection, and destroys it if the server does not reply, because an open socket would keep this process alive. Never
 * rejects.
 */
export async function endConnection(client: pg.Client): Promise<void> {
  const { connection } = client as unknown as WatchedConnection
  const timer = setTimeout(() => connection?.stream.destroy(), END_MS)
  try {
    await client.end()
  } catch {
    connection?.stream.destroy()
  } finally {
    clearTimeout(timer)
  }
}
