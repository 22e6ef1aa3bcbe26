/**
 * The outcome of a transaction is unknown, because the database did not reply. Code that keeps state in memory must read its rows
 * again.
 */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError'
}
