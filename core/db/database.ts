import type { Knex } from 'knex'
import type { GatewayError } from '../errors.ts'

export interface OpenOptions {
  /** Called once if the database has become unusable (DATABASE_REPLACED, DATABASE_DAMAGED): the process should end. */
  onFatal?: (error: GatewayError) => void
}

/** A statement that each connection plans once, by name. */
export interface PreparedStatement {
  readonly name: string
  readonly text: string
  readonly values: unknown[]
}

/** One database. Reads use `reader`; every write runs inside `transaction`. */
export interface Database {
  readonly kind: 'sqlite' | 'postgres'
  /** For messages: the address without its password. */
  readonly name: string
  readonly reader: Knex
  /** The connection pools, for metrics. */
  readonly pools: Readonly<Record<'writer' | 'reader', Knex>>
  /**
   * Runs a decision in one write transaction. SQLite: one writer per process, locked from the first statement, so that rows read
   * inside cannot change before they are written. PostgreSQL: read committed; lock the rows that the decision depends on with
   * `forUpdate()`. Deadlocks and serialization failures are retried.
   */
  transaction<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T>
  /** Runs reads on one consistent snapshot, however long they take. */
  snapshot<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T>
  /** Serializes transactions from this line on, for decisions that depend on rows that do not exist yet. */
  alone(trx: Knex.Transaction, decision: string): Promise<void>
  /** Lifts the time limits of a transaction: for migrations, never for work that relays wait for. */
  withoutTimeouts(trx: Knex.Transaction): Promise<void>
  /** SQLite only: runs a script as one transaction, in one call of the driver. */
  script?(statements: string): Promise<void>
  /**
   * PostgreSQL only: runs one prepared statement as its own transaction, in one round trip. Throws OutcomeUnknownError if the reply
   * was lost.
   */
  statement?(statement: PreparedStatement): Promise<void>
  /** SQLite only: checks for damage for at most a second. Throws DATABASE_DAMAGED. */
  quickCheck?(): Promise<void>
  /** Calls back after a commit of another connection. Returns a function that stops watching. */
  watch(onCommit: () => void): Promise<() => Promise<void>>
  /** PostgreSQL only: calls back after a replica was promoted. It may lack the last transactions, so rows may be older. */
  onFailover?(listener: () => void): void
  close(): Promise<void>
}

/**
 * Knex must not log: errors are thrown to the caller. They name the statement without its values, which can be secrets, because
 * errors are logged.
 */
export const QUIET = { log: { warn() {}, error() {}, deprecate() {}, debug() {} }, compileSqlOnError: false }
