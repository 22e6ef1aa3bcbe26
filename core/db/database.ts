import type { Knex } from 'knex'
import type { GatewayError } from '../errors.ts'

export interface OpenOptions {
  /** Called once if the database becomes unusable (DATABASE_REPLACED, DATABASE_DAMAGED). The process should end. */
  onFatal?: (error: GatewayError) => void
}

/** A statement that each connection prepares once. `name` identifies it. */
export interface PreparedStatement {
  readonly name: string
  readonly text: string
  readonly values: unknown[]
}

/** One database. Use `reader` for reads and `transaction` for writes. Batches of charges use `script` or `statement`. */
export interface Database {
  readonly kind: 'sqlite' | 'postgres'
  /** For messages: the file path (SQLite), or the URL without its password (PostgreSQL). */
  readonly name: string
  readonly reader: Knex
  /** The connection pools, for metrics. */
  readonly pools: Readonly<Record<'writer' | 'reader', Knex>>
  /**
   * Runs work in one write transaction. On SQLite, the transaction has the write lock from its first statement, so rows
   * cannot change between its reads and writes. On PostgreSQL, the isolation level is read committed: lock the rows
   * that a decision depends on with `forUpdate()`. On PostgreSQL, `work` may run several times: after deadlocks,
   * serialization failures, stale connections and a repair of a sequence.
   */
  transaction<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T>
  /** Runs reads on one consistent snapshot. The time limits of reads apply. */
  snapshot<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T>
  /**
   * Locks the name `decision` until `trx` ends. Use this before a decision about rows that do not exist yet, which
   * `forUpdate()` cannot lock. Does nothing on SQLite.
   */
  serialize(trx: Knex.Transaction, decision: string): Promise<void>
  /**
   * Removes the time limits of statements and locks, and lets the transaction be idle for ten minutes. Use it only for
   * maintenance, because relays wait for the transaction's locks. Does nothing on SQLite.
   */
  withoutTimeouts(trx: Knex.Transaction): Promise<void>
  /** SQLite only: runs a script as one transaction, in one call of the driver. */
  script?(statements: string): Promise<void>
  /**
   * PostgreSQL only: runs a prepared statement as one transaction and returns its rows. Throws OutcomeUnknownError for a
   * lost reply.
   */
  statement?(statement: PreparedStatement): Promise<readonly Record<string, unknown>[]>
  /** SQLite only: checks for damage, for at most one second. Throws DATABASE_DAMAGED. */
  quickCheck?(): Promise<void>
  /** Calls `onCommit` after commits of other connections, and possibly more often. Resolves to a stop function. */
  watch(onCommit: () => void): Promise<() => Promise<void>>
  /** PostgreSQL only: calls the listener after a failover. The promoted replica may lack the last transactions. */
  onFailover?(listener: () => void): void
  close(): Promise<void>
}

/**
 * Disables Knex's logging. Errors are thrown to the caller. They contain the statement without its values, because
 * values can be secrets and errors are logged.
 */
export const NO_LOGGING = { log: { warn() {}, error() {}, deprecate() {}, debug() {} }, compileSqlOnError: false }
