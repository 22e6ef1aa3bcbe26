import type { Socket } from 'node:net'
import pg from 'pg'

/** Slower reads are checked at this interval. With the check, a dead connection is detected within ten seconds. */
const LOOK_EVERY_MS = 6_000
const LOOK_MS = 3_000
/** How long a server may take to close a connection that this process ended. */
const END_MS = 1_000

/** A connection of `pg`, with properties missing in its types. */
interface Watched {
  processID?: number | null
  connection?: { stream: Socket }
}

/**
 * Awaits a query that may take minutes, and destroys its connection if the server is not working on it: the reply was lost, or the
 * server silently died.
 */
export async function whileServerWorks<T>(url: string, connection: unknown, query: () => Promise<T>): Promise<T> {
  const { processID, connection: wire } = connection as Watched
  const timer = setInterval(async () => {
    if (!(await isWorking(url, processID))) wire?.stream.destroy(new Error('Connection terminated: no reply'))
  }, LOOK_EVERY_MS)
  try {
    return await query()
  } finally {
    clearInterval(timer)
  }
}

/** Whether a server process runs a query. Unknown processes belong to a pooler and count as working. */
async function isWorking(url: string, processId: number | null | undefined): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: LOOK_MS, query_timeout: LOOK_MS })
  client.on('error', () => {}) // The failing query reports the error.
  try {
    await client.connect()
    const { rows } = await client.query<{ state: string | null }>('SELECT state FROM pg_stat_activity WHERE pid = $1', [
      processId ?? 0,
    ])
    return rows[0]?.state !== 'idle'
  } catch (error) {
    // A server without a free connection is alive.
    return typeof (error as { severity?: unknown }).severity === 'string'
  } finally {
    void endConnection(client)
  }
}

/** Ends a connection, and destroys it if the server does not reply, since an open socket keeps the process alive. Never rejects. */
export async function endConnection(client: pg.Client): Promise<void> {
  const { connection } = client as unknown as Watched
  const timer = setTimeout(() => connection?.stream.destroy(), END_MS)
  try {
    await client.end()
  } catch {
    connection?.stream.destroy()
  } finally {
    clearTimeout(timer)
  }
}
