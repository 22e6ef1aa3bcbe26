/**
 * Thrown if a lost reply leaves the outcome of a transaction unknown. Code with state in memory must read its rows
 * again.
 */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError'
}
