import type { Knex } from 'knex'
import KnexTransaction from 'knex/lib/dialects/postgres/execution/pg-transaction.js'
import KnexClient from 'knex/lib/dialects/postgres/index.js'
import pg from 'pg'
import type { PreparedStatement } from './database.ts'
import { OutcomeUnknownError } from './outcome-unknown.ts'
import { endConnection } from './postgres-liveness.ts'

/** The server's identification of a transaction, and whether its COMMIT was sent. */
export interface Outcome {
  /** The transaction's id, 64-bit. https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-INFO-SNAPSHOT */
  xid?: string
  /** The server process that runs it. */
  backend?: number
  /** Which history of the database the id belongs to: a server that is promoted begins another one, and gives ids out again. */
  timeline?: string
  isCommitting?: boolean
}

/** The work of a transaction, by which Knex hands its outcome to the Transaction that runs it. */
type Work = (trx: Knex.Transaction) => Promise<unknown>
export type Outcomes = WeakMap<Work, Outcome>

interface PgTransaction {
  isolationLevel?: string
  readOnly?: boolean
  begin(connection: pg.Client): Promise<unknown>
  commit(connection: pg.Client, value: unknown): Promise<unknown>
}
type PgTransactionConstructor = new (...parameters: unknown[]) => PgTransaction
type PgClient = new (
  ...parameters: unknown[]
) => {
  version?: string
  acquireRawConnection(): Promise<PgConnection>
  _acquireOnlyConnection(): Promise<PgConnection>
  checkVersion(connection: PgConnection): Promise<string>
  destroyRawConnection(connection: PgConnection): Promise<void>
  _query(connection: PgConnection, query: unknown): Promise<unknown>
}
/** A connection of `pg`, with what Knex and we note on it. */
interface PgConnection extends pg.Client {
  /** Knex takes a connection that is marked so out of its pool. */
  __knex__disposed?: unknown
  connectionParameters: { query_timeout?: number }
}

const FIRST_QUERY_MS = 5_000

/**
 * Knex's client for PostgreSQL, changed in three places. A transaction learns its id in the round trip of BEGIN, so that its
 * outcome can be found when the reply to COMMIT is lost. A connection whose query timed out on this side is never used again:
 * the server may still send its result. A new connection whose first query fails is ended.
 */
export function outcomeClient({
  outcomes,
  queryTimeoutMs,
  watch = (_connection, query) => query(),
  onTimeline = () => {},
}: {
  outcomes: Outcomes
  queryTimeoutMs: number
  /** Runs a query outside of transactions, and looks after its connection. */
  watch?: <T>(connection: unknown, query: () => Promise<T>) => Promise<T>
  /** Called with the history that the server of each new connection writes; not if it does not tell. */
  onTimeline?: (timeline: string) => void
}): typeof Knex.Client {
  const Client = KnexClient as PgClient
  const Transaction = KnexTransaction as PgTransactionConstructor
  const timelines = new WeakMap<PgConnection, string>()

  class KnownTransaction extends Transaction {
    private readonly outcome: Outcome | undefined
    constructor(...parameters: unknown[]) {
      super(...parameters)
      this.outcome = outcomes.get(parameters[1] as Work)
    }
    override async begin(connection: PgConnection): Promise<unknown> {
      // The transaction before on this connection may have had no limit.
      connection.connectionParameters.query_timeout = queryTimeoutMs
      if (!this.outcome || this.isolationLevel || this.readOnly) return super.begin(connection)
      const results = (await disposing(connection, () =>
        connection.query('BEGIN; SELECT pg_current_xact_id()::text AS xid, pg_backend_pid() AS backend'),
      )) as unknown as pg.QueryResult<Required<Pick<Outcome, 'xid' | 'backend'>>>[]
      Object.assign(this.outcome, results[1]?.rows[0], { timeline: timelines.get(connection) })
      return results
    }
    override commit(connection: pg.Client, value: unknown): Promise<unknown> {
      if (this.outcome) this.outcome.isCommitting = true
      return super.commit(connection, value)
    }
  }

  class OutcomeClient extends Client {
    /** The pool does not know the connection yet, and its open socket would keep the process alive. */
    override async acquireRawConnection(): Promise<PgConnection> {
      const connection = await this._acquireOnlyConnection()
      // The limit of long reads is far longer than anything waits for a connection.
      connection.connectionParameters.query_timeout = FIRST_QUERY_MS
      try {
        this.version ??= await this.checkVersion(connection)
        const timeline = await timelineOf(connection)
        timelines.set(connection, timeline)
        if (timeline !== '') onTimeline(timeline)
        connection.connectionParameters.query_timeout = queryTimeoutMs
        return connection
      } catch (error) {
        void endConnection(connection)
        throw error
      }
    }
    override destroyRawConnection(connection: PgConnection): Promise<void> {
      return endConnection(connection)
    }
    transaction(...parameters: unknown[]): Knex.Transaction {
      return new KnownTransaction(this, ...parameters) as unknown as Knex.Transaction
    }
    override _query(connection: PgConnection, query: unknown): Promise<unknown> {
      return disposing(connection, () => watch(connection, () => super._query(connection, query)))
    }
  }
  return OutcomeClient as unknown as typeof Knex.Client
}

/**
 * Lets the statements of one transaction run and wait as long as they need, and the transaction be idle for ten minutes: an import
 * reads its source, and a foreign server may take longer than ours for a page of rows.
 */
export async function withoutLimit(trx: Knex.Transaction): Promise<void> {
  const connection = (await trx.client.acquireConnection()) as PgConnection
  connection.connectionParameters.query_timeout = 0
  await trx.raw(
    "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = '10min'",
  )
}

/**
 * Runs one prepared statement as a transaction of its own. Throws OutcomeUnknownError if the server may have committed it: only an
 * ERROR says that it did not.
 */
export async function runStatement(pool: Knex, statement: PreparedStatement, queryTimeoutMs: number): Promise<void> {
  const connection = (await pool.client.acquireConnection()) as PgConnection
  try {
    connection.connectionParameters.query_timeout = queryTimeoutMs
    await disposing(connection, () => connection.query(statement))
  } catch (error) {
    if ((error as { severity?: string }).severity === 'ERROR') throw error
    throw new OutcomeUnknownError('The outcome of a statement is unknown: its reply was lost', { cause: error })
  } finally {
    pool.client.releaseConnection(connection)
  }
}

/** Takes a connection out of the pool if its query timed out here. */
async function disposing<T>(connection: PgConnection, query: () => Promise<T>): Promise<T> {
  try {
    return await query()
  } catch (error) {
    if (isClientTimeout(error)) {
      connection.__knex__disposed = error
      void endConnection(connection)
    }
    throw error
  }
}

const isClientTimeout = (error: unknown): boolean => (error as Error).message === 'Query read timeout'

/** Whether a connection of the pool had been closed from the other side before this transaction began: nothing was done. */
export function isStaleConnection(error: unknown, { xid }: Outcome): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return xid === undefined && (/^(ECONNRESET|EPIPE|57P01)$/.test(code) || message.startsWith('Connection terminated'))
}

const ASK_FOR_MS = 5_000
const ASK_AGAIN_MS = 100
/** A transaction that is still open after this long has lost its client: the server process is ended. */
const ORPHAN_AFTER_MS = 300
/** `invalid_parameter_value`: the id is one that the server has not given out, so the server lost it in a failover. */
const ID_IN_FUTURE = '22023'

/** Whether an error of a COMMIT leaves its outcome open: the server did not say that it failed. */
export function isOutcomeOpen(error: unknown, { isCommitting, xid }: Outcome): boolean {
  return isCommitting === true && xid !== undefined && (error as { severity?: string }).severity !== 'ERROR'
}

/** Asks the server what became of a transaction. Throws OutcomeUnknownError if it does not answer within five seconds. */
export async function findOutcome(url: string, outcome: Outcome): Promise<'committed' | 'aborted'> {
  const startedAt = Date.now()
  let cause: unknown
  while (Date.now() - startedAt < ASK_FOR_MS) {
    try {
      const status = await askStatus(url, { ...outcome, isOrphan: Date.now() - startedAt > ORPHAN_AFTER_MS })
      if (status === 'committed' || status === 'aborted') return status
      if (status === 'other history') break
    } catch (error) {
      if ((error as { code?: string }).code === ID_IN_FUTURE) return 'aborted'
      cause = error
    }
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
  }
  throw new OutcomeUnknownError('The outcome of a transaction is unknown: the database does not respond', { cause })
}

/**
 * The history that a server writes: the first digits of the name of its log file. Empty if it does not tell.
 * https://www.postgresql.org/docs/current/functions-admin.html#FUNCTIONS-ADMIN-BACKUP
 */
async function timelineOf(client: pg.Client): Promise<string> {
  try {
    const { rows } = await client.query<{ timeline: string }>(
      'SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline',
    )
    return rows[0]?.timeline ?? ''
  } catch (error) {
    if (typeof (error as { severity?: unknown }).severity === 'string') return ''
    throw error
  }
}

/** A standby lags behind: it does not know what the server that took the COMMIT knew, and its answer is an error. */
async function askStatus(
  url: string,
  { xid, backend, timeline, isOrphan }: Outcome & { isOrphan: boolean },
): Promise<string | null | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000, query_timeout: 2000 })
  client.on('error', () => {}) // The query that fails reports it.
  try {
    await client.connect()
    const recovery = await client.query<{ pg_is_in_recovery: boolean }>('SELECT pg_is_in_recovery()')
    if (recovery.rows[0]?.pg_is_in_recovery) throw new Error('The server is a standby')
    if ((await timelineOf(client)) !== timeline) return 'other history'
    const { rows } = await client.query('SELECT pg_xact_status($1::xid8) AS status', [xid])
    const [row] = rows as { status: string | null }[]
    if (row?.status === 'in progress' && isOrphan) {
      await client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND backend_xid = $2::xid8::xid',
        [backend, xid],
      )
    }
    return row?.status
  } finally {
    await endConnection(client)
  }
}
