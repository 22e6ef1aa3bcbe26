import type { Socket } from 'node:net'
import pg from 'pg'

/** A read that takes longer is looked after: together with the look, a dead connection is noticed within ten seconds. */
const LOOK_EVERY_MS = 6_000
const LOOK_MS = 3_000
/** How long a server may take to close a connection that this side has ended. */
const END_MS = 1_000

/** A connection of `pg`, with what its types leave out. */
interface Watched {
  processID?: number | null
  connection?: { stream: Socket }
}

/**
 * Waits for a query that may take minutes, and breaks its connection when the server does not work on it: the reply was lost on
 * the way, or the server is gone without a word.
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

/** Whether a server process runs a query. One that the server does not know is a pooler's, and counts as working. */
async function isWorking(url: string, processId: number | null | undefined): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: LOOK_MS, query_timeout: LOOK_MS })
  client.on('error', () => {}) // The query that fails reports it.
  try {
    await client.connect()
    const { rows } = await client.query<{ state: string | null }>('SELECT state FROM pg_stat_activity WHERE pid = $1', [
      processId ?? 0,
    ])
    return rows[0]?.state !== 'idle'
  } catch (error) {
    // A server that has no connection to spare answers.
    return typeof (error as { severity?: unknown }).severity === 'string'
  } finally {
    void endConnection(client)
  }
}

/**
 * Ends a connection, and breaks it if the server does not answer: until a socket is closed, it keeps the process from ending. Never
 * rejects.
 */
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
