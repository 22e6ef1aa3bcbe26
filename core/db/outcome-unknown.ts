/**
 * Thrown if the database did not reply, so that the outcome of a transaction is unknown. Code that keeps state in memory must
 * read its rows again.
 */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError'
}
