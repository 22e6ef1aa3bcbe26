import type { Knex } from 'knex'
import type { GatewayError } from '../errors.ts'

export interface OpenOptions {
  /** Called once if the database becomes unusable (DATABASE_REPLACED, DATABASE_DAMAGED). The process should end. */
  onFatal?: (error: GatewayError) => void
}

/** A statement that each connection prepares once, by its name. */
export interface PreparedStatement {
  readonly name: string
  readonly text: string
  readonly values: unknown[]
}

/** One database. Reads use `reader`, and writes `transaction`. Batches of charges use `script` or `statement`. */
export interface Database {
  readonly kind: 'sqlite' | 'postgres'
  /** The address without its password, for messages. */
  readonly name: string
  readonly reader: Knex
  /** The connection pools, for metrics. */
  readonly pools: Readonly<Record<'writer' | 'reader', Knex>>
  /**
   * Runs work in one write transaction. On SQLite, the transaction has the write lock from its first statement, so rows
   * cannot change between its reads and writes. On PostgreSQL, the isolation level is read committed: lock the rows
   * that a decision depends on with `forUpdate()`. Deadlocks and serialization failures are retried.
   */
  transaction<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T>
  /** Runs reads on one consistent snapshot, however long they take. */
  snapshot<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T>
  /** Waits until other transactions with the same `decision` end. For decisions about rows that do not exist. */
  serialize(trx: Knex.Transaction, decision: string): Promise<void>
  /** Removes a transaction's time limits. Only for migrations, imports and copies: relays wait for its locks. */
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
  /** PostgreSQL only: calls the listener after a replica was promoted, which may lack the last transactions. */
  onFailover?(listener: () => void): void
  close(): Promise<void>
}

/**
 * Stops Knex from logging errors, because they are thrown to the caller. Errors contain the statement without its
 * values, because values can be secrets and errors are logged.
 */
export const QUIET = { log: { warn() {}, error() {}, deprecate() {}, debug() {} }, compileSqlOnError: false }
