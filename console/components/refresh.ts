/** Minimum interval after a failure, so that a failing or rate limiting server does not get more requests. */
const AFTER_FAILURE_MS = 60_000

/**
 * Returns the polling interval of a query in milliseconds: `refetchInterval: ({ state }) => nextRefresh(state, 5_000)`.
 * After a failure, the interval is at least one minute. The query library pauses polling in hidden tabs.
 */
export function nextRefresh({ error }: { error: unknown }, intervalMs: number): number {
  return error ? Math.max(intervalMs, AFTER_FAILURE_MS) : intervalMs
}
