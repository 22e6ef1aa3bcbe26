/** After a failure: do not send more requests to a server that is failing or rate limiting. */
const AFTER_FAILURE_MS = 60_000

/**
 * Polling interval of a query: `refetchInterval: ({ state }) => nextRefresh(state, 5_000)`. Slower after a failed reply.
 * The query library pauses polling in hidden tabs.
 */
export function nextRefresh({ error }: { error: unknown }, intervalMs: number): number {
  return error ? Math.max(intervalMs, AFTER_FAILURE_MS) : intervalMs
}
