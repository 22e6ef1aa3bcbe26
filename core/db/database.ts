import type { Knex } from 'knex'
import type { GatewayError } from '../errors.ts'

export interface OpenOptions {
  /** Called once when the database has become useless (DATABASE_REPLACED, DATABASE_DAMAGED): the process should end. */
  onFatal?: (error: GatewayError) => void
}

/** A statement that each connection plans once, by its name. */
export interface PreparedStatement {
  readonly name: string
  readonly text: string
  readonly values: unknown[]
}

/** One database. Reads go to `reader`; every write happens inside `transaction`. */
export interface Database {
  readonly kind: 'sqlite' | 'postgres'
  /** For messages: the address without its password. */
  readonly name: string
  readonly reader: Knex
  /**
   * Runs the whole decision in one transaction that may write. SQLite: one writer per process, locked from the first
   * statement, so that what was read inside cannot change before it is written. PostgreSQL: read committed; lock what
   * the decision rests on with `forUpdate()`. Deadlocks and serialisation failures are tried again.
   */
  transaction<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T>
  /** Reads one moment of the database, however long it takes. */
  snapshot<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T>
  /** Lets one transaction at a time past this line, for a decision that rests on rows which do not exist yet. */
  alone(trx: Knex.Transaction, decision: string): Promise<void>
  /** Lets one transaction run and wait without a limit of time: for migrations, never for what relays wait for. */
  unhurried(trx: Knex.Transaction): Promise<void>
  /** SQLite only: runs a script of statements as one transaction, in one crossing into the driver. */
  script?(statements: string): Promise<void>
  /**
   * PostgreSQL only: runs one prepared statement as a transaction of its own, in one round trip. Throws OutcomeUnknownError if the
   * reply was lost.
   */
  statement?(statement: PreparedStatement): Promise<void>
  /** SQLite only: looks for damage, for a second at most. Throws DATABASE_DAMAGED. */
  quickCheck?(): Promise<void>
  /** Calls back when another connection has committed something; answers a function that stops it. */
  watch(onCommit: () => void): Promise<() => Promise<void>>
  /**
   * PostgreSQL only: calls back when a replica has been promoted in the place of the server. It may not have received the last
   * transactions: rows may be those of an earlier moment.
   */
  onFailover?(listener: () => void): void
  close(): Promise<void>
}

/**
 * Failures are thrown to whoever asked: a second report on the console would tell nobody more. They name the statement
 * without its values, which can be secrets: failures are logged.
 */
export const QUIET = { log: { warn() {}, error() {}, deprecate() {}, debug() {} }, compileSqlOnError: false }
