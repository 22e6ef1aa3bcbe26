/** The database could not be asked what became of a COMMIT: code that keeps state in memory must read its rows back. */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError'
}
