import type { Knex } from 'knex'
import Transaction from 'knex/lib/dialects/postgres/execution/pg-transaction.js'
import Client from 'knex/lib/dialects/postgres/index.js'
import pg from 'pg'
import { errorCode, errorMessage, errorProperty } from '../error-parts.ts'
import type { PreparedStatement } from './database.ts'
import { endConnection, type PgConnection } from './postgres-liveness.ts'
import { OutcomeUnknownError } from './unavailable.ts'

/** Data to find the outcome of a transaction: its ids at the server, and whether the client sent COMMIT. */
export interface TransactionOutcome {
  /** 64-bit transaction id. https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-INFO-SNAPSHOT */
  xid?: string
  /** Id of the server process that runs the transaction. */
  backend?: number
  /** Timeline of the server that allocated `xid`. A promoted server begins a new one, and may reuse ids. */
  timeline?: string
  isCommitting?: boolean
}

/** The work of a transaction. It is the key of `Outcomes`, because Knex passes only the work to the transaction. */
type Work = (trx: Knex.Transaction) => Promise<unknown>
export type Outcomes = WeakMap<Work, TransactionOutcome>

const FIRST_QUERY_MS = 5_000

/**
 * Returns Knex's client for PostgreSQL with three changes. A transaction reads its own id in the round trip of BEGIN.
 * With this id, `findOutcome` finds the outcome if the reply to COMMIT is lost. If a query timed out in this process,
 * its connection is not reused, because the server may still send the result. A new connection is ended if its first
 * query fails.
 */
export function outcomeClient(parts: {
  outcomes: Outcomes
  queryTimeoutMs: number
  /** Runs a query and monitors the connection until the query ends. */
  watch?: <T>(connection: PgConnection, query: () => Promise<T>) => Promise<T>
  /** Called with the server's timeline for each new connection, unless the server does not report it. */
  onTimeline?: (timeline: string) => void
}): typeof Knex.Client {
  const { outcomes, queryTimeoutMs, onTimeline = () => {}, watch = (_connection, query) => query() } = parts
  const timelines = new WeakMap<PgConnection, string>()

  class KnownTransaction extends Transaction<PgConnection> {
    private readonly outcome: TransactionOutcome | undefined
    constructor(client: Knex.Client, work: Work, ...options: unknown[]) {
      super(client, work, ...options)
      this.outcome = outcomes.get(work)
    }
    override async begin(connection: PgConnection): Promise<unknown> {
      // `withoutLimit` may have removed the timeout of this connection in an earlier transaction.
      connection.connectionParameters.query_timeout = queryTimeoutMs
      if (!this.outcome || this.isolationLevel || this.readOnly) return super.begin(connection)
      const result = await runQuery(connection, () =>
        connection.query('BEGIN; SELECT pg_current_xact_id()::text AS xid, pg_backend_pid() AS backend'),
      )
      // For several statements, pg returns an array with the result of each statement. The types of pg declare only one
      // result.
      const results = [result].flat()
      Object.assign(this.outcome, results[1]?.rows[0], { timeline: timelines.get(connection) })
      return results
    }
    override commit(connection: PgConnection, value: unknown): Promise<unknown> {
      if (this.outcome) this.outcome.isCommitting = true
      return super.commit(connection, value)
    }
  }

  class OutcomeClient extends Client<PgConnection> {
    /** Ends a new connection if its first queries fail. The pool would leave its socket open. */
    override async acquireRawConnection(): Promise<PgConnection> {
      const connection = await this._acquireOnlyConnection()
      // Use a short timeout, because callers wait for the connection. The timeout of reads is two minutes.
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
    override transaction(work: Work, ...options: unknown[]): Knex.Transaction {
      return new KnownTransaction(this, work, ...options) as unknown as Knex.Transaction
    }
    override _query(connection: PgConnection, query: unknown): Promise<unknown> {
      return runQuery(connection, () => watch(connection, () => super._query(connection, query)))
    }
  }
  return OutcomeClient
}

/**
 * Removes the time limits of the statements and locks of one transaction, and lets it be idle for ten minutes. An
 * import reads its source during the transaction, and the source may take long for a page of rows.
 */
export async function withoutLimit(trx: Knex.Transaction): Promise<void> {
  const connection: PgConnection = await trx.client.acquireConnection()
  connection.connectionParameters.query_timeout = 0
  await trx.raw(
    "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = '10min'",
  )
}

/**
 * Runs one prepared statement as its own transaction and returns its rows. Throws OutcomeUnknownError if the server may have committed the
 * statement. Only a reply with severity ERROR proves that the server has not committed it.
 */
export async function runStatement(
  pool: Knex,
  statement: PreparedStatement,
  queryTimeoutMs: number,
): Promise<readonly Record<string, unknown>[]> {
  const connection: PgConnection = await pool.client.acquireConnection()
  try {
    connection.connectionParameters.query_timeout = queryTimeoutMs
    const { rows } = await runQuery(connection, () => connection.query<Record<string, unknown>>(statement))
    return rows
  } catch (error) {
    if (errorProperty(error, 'severity') === 'ERROR') throw error
    throw new OutcomeUnknownError('The outcome of a statement is unknown: its reply was lost', { cause: error })
  } finally {
    pool.client.releaseConnection(connection)
  }
}

/** Runs a query. Removes the connection from the pool if the query timed out in this process. */
async function runQuery<T>(connection: PgConnection, query: () => Promise<T>): Promise<T> {
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

const isClientTimeout = (error: unknown): boolean => errorMessage(error) === 'Query read timeout'

/** Returns whether the server closed the pooled connection before this transaction, so that nothing was executed. */
export function isStaleConnection(error: unknown, { xid }: TransactionOutcome): boolean {
  const isClosed =
    /^(ECONNRESET|EPIPE|57P01)$/.test(errorCode(error)) || errorMessage(error).startsWith('Connection terminated')
  return xid === undefined && isClosed
}

const OUTCOME_TIMEOUT_MS = 5_000
const OUTCOME_RETRY_MS = 100
/** A transaction that is still open after this time of the search is orphaned. `queryStatus` terminates it. */
const ORPHAN_AFTER_MS = 300
/** `invalid_parameter_value`: the server has not allocated this id, so it lost the transaction in a failover. */
const ID_IN_FUTURE = '22023'

/** Returns whether the outcome of a transaction is unknown: its COMMIT was sent, and the server reported no failure. */
export function isOutcomeOpen(error: unknown, { isCommitting, xid }: TransactionOutcome): boolean {
  return isCommitting === true && xid !== undefined && errorProperty(error, 'severity') !== 'ERROR'
}

/**
 * Queries the server for the outcome of a transaction. Throws OutcomeUnknownError if the outcome is unknown after five
 * seconds, or if the server has another timeline.
 */
export async function findOutcome(url: string, outcome: TransactionOutcome): Promise<'committed' | 'aborted'> {
  const startedAt = Date.now()
  let cause: unknown
  while (Date.now() - startedAt < OUTCOME_TIMEOUT_MS) {
    try {
      const status = await queryStatus(url, { ...outcome, isOrphan: Date.now() - startedAt > ORPHAN_AFTER_MS })
      if (status === 'committed' || status === 'aborted') return status
      if (status === 'other history') break
    } catch (error) {
      if (errorCode(error) === ID_IN_FUTURE) return 'aborted'
      cause = error
    }
    await new Promise((resolve) => setTimeout(resolve, OUTCOME_RETRY_MS))
  }
  throw new OutcomeUnknownError('The outcome of a transaction is unknown: the reply to COMMIT was lost', { cause })
}

/**
 * Returns the timeline of a server: the first digits of the name of its WAL file. Empty if the server rejects the
 * query. https://www.postgresql.org/docs/current/functions-admin.html#FUNCTIONS-ADMIN-BACKUP
 */
async function timelineOf(client: pg.Client): Promise<string> {
  try {
    const { rows } = await client.query<{ timeline: string }>(
      'SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline',
    )
    return rows[0]?.timeline ?? ''
  } catch (error) {
    if (typeof errorProperty(error, 'severity') === 'string') return ''
    throw error
  }
}

/**
 * Returns the status of a transaction, or `other history` if the server has another timeline. Throws if the server is a
 * standby, because a standby may lack the transaction. Terminates the server process of an orphaned transaction.
 */
async function queryStatus(
  url: string,
  { xid, backend, timeline, isOrphan }: TransactionOutcome & { isOrphan: boolean },
): Promise<string | null | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000, query_timeout: 2000 })
  client.on('error', () => {}) // The failing query reports the error too.
  try {
    await client.connect()
    const recovery = await client.query<{ pg_is_in_recovery: boolean }>('SELECT pg_is_in_recovery()')
    if (recovery.rows[0]?.pg_is_in_recovery) throw new Error('The server is a standby')
    if ((await timelineOf(client)) !== timeline) return 'other history'
    const { rows } = await client.query<{ status: string | null }>('SELECT pg_xact_status($1::xid8) AS status', [xid])
    const [row] = rows
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
