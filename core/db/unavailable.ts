import type { Knex } from 'knex'
import { errorCode } from '../error-parts.ts'
import { GatewayError } from '../errors.ts'

// This file recognizes failures that mean that the database is temporarily unusable, in contrast to bugs and rejected
// values. All interfaces report such failures as DATABASE_UNAVAILABLE, so that clients retry later.

/** Maximum time for which an operation waits for the database before it fails. */
export const DATABASE_WAIT_MS = 5000
/** Retry-After for clients, in seconds. The connections of a dead pool are replaced in less time. */
const RETRY_AFTER_S = 5

/** Marks errors of the database driver. Errors of other connections have the same codes, but not this property. */
const FROM_DRIVER = Symbol('from the database driver')

/**
 * Connection exceptions, insufficient resources, operator intervention, system errors, rejected credentials, a missing
 * database. See https://www.postgresql.org/docs/current/errcodes-appendix.html. 25006 means a standby, or a disk that
 * became read-only. 25P03, 55P03 and 57014 mean that the session, a lock or a statement timed out.
 */
const POSTGRES_STATES = /^(08\w{3}|53\w{3}|57P0\d|58\w{3}|28\w{3}|3D000|25006|25P03|55P03|57014)$/
/** https://sqlite.org/rescode.html */
const SQLITE_CODES = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|PROTOCOL|NOMEM|PERM|AUTH|CORRUPT|NOTADB)/
/**
 * If the disk is full or fails, SQLite rolls back by itself. Knex's ROLLBACK then fails, and its error hides the
 * original error (https://sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction).
 */
const ROLLED_BACK = /cannot rollback - no transaction is active/
const NETWORK_CODES =
  /^(ECONN\w+|ETIMEDOUT|EPIPE|EHOST\w+|ENET\w+|ENOTFOUND|EAI_\w+|EADDRNOTAVAIL|EMFILE|ENFILE|ENOBUFS|ENOENT|EACCES)$/
/** Messages of errors that the driver and the pool report without a code. */
const DRIVER_TEXTS =
  /connection terminated|connection error|timeout expired|query read timeout|timeout exceeded|not queryable|unable to acquire a connection|client was closed|connection ended/i

/** Thrown if a lost reply leaves the outcome unknown. Code with state in memory must read its rows again. */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError'
}

/** Marks each error of this connection pool as a database error. */
export function markDriverErrors(knex: Knex): void {
  knex.on('query-error', markDriverError)
  const { client } = knex
  const acquire: () => Promise<unknown> = client.acquireConnection.bind(client)
  client.acquireConnection = () =>
    acquire().catch((error: unknown) => {
      markDriverError(error)
      throw error
    })
}

export function markDriverError(error: unknown): void {
  if (typeof error === 'object' && error !== null && Object.isExtensible(error)) {
    Object.defineProperty(error, FROM_DRIVER, { value: true })
  }
}

/** Returns whether an error or one of its causes means that the database is temporarily unusable. */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (const cause of chainOf(error)) {
    if (cause instanceof GatewayError) return cause.code === 'DATABASE_UNAVAILABLE'
    if (isUnavailable(cause)) return true
  }
  return false
}

/** Returns the error, its cause, the cause's cause and so on. */
const chainOf = (error: unknown): Error[] => (error instanceof Error ? [error, ...chainOf(error.cause)] : [])

/** Returns whether another process held SQLite's lock for longer than this process waits. */
export const isDatabaseLocked = (error: unknown): boolean => hasCode(error, /^SQLITE_(BUSY|LOCKED)/)

/** Returns whether the disk of the database is full. */
export const isDatabaseFull = (error: unknown): boolean => hasCode(error, /^(SQLITE_FULL|53100$)/)

const hasCode = (error: unknown, pattern: RegExp): boolean =>
  chainOf(error).some((cause) => pattern.test(errorCode(cause)))

function isUnavailable(error: Error): boolean {
  const code = errorCode(error)
  if (error instanceof OutcomeUnknownError || error.name === 'KnexTimeoutError') return true
  if (POSTGRES_STATES.test(code) || SQLITE_CODES.test(code)) return true
  if (code === 'SQLITE_ERROR') return ROLLED_BACK.test(error.message)
  if (!Object.hasOwn(error, FROM_DRIVER)) return false
  return code === '' ? DRIVER_TEXTS.test(error.message) : NETWORK_CODES.test(code)
}

export function databaseUnavailable(cause?: unknown): GatewayError {
  return new GatewayError('DATABASE_UNAVAILABLE', { seconds: RETRY_AFTER_S }, { cause })
}

/** Returns a GatewayError, DATABASE_UNAVAILABLE for an unusable database, or undefined for bugs. */
export function asGatewayError(error: unknown): GatewayError | undefined {
  if (error instanceof GatewayError) return error
  return isDatabaseUnavailable(error) ? databaseUnavailable(error) : undefined
}

/** Rejects with DATABASE_UNAVAILABLE if the work takes longer than `waitMs`. `late` can undo a later success. */
export function withinDatabaseWait<T>(
  work: Promise<T>,
  { late, waitMs = DATABASE_WAIT_MS }: { late?: (result: T) => void; waitMs?: number } = {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      reject(databaseUnavailable(new Error(`The database did not answer within ${waitMs} ms`)))
    }, waitMs)
    work.then(
      (result) => {
        clearTimeout(timer)
        if (isLate) late?.(result)
        else resolve(result)
      },
      (error) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
