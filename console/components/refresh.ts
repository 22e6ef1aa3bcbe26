/** After a failure: a server in trouble, or one that limits how often it is asked, must not be asked any faster. */
const AFTER_FAILURE_MS = 60_000

/**
 * How soon a query is asked again by itself: `refetchInterval: ({ state }) => nextRefresh(state, 5_000)`. It slows down
 * while the last answer was a failure. In a tab that nobody sees it rests altogether: that is the library's own doing.
 */
export function nextRefresh({ error }: { error: unknown }, usualMs: number): number {
  return error ? Math.max(usualMs, AFTER_FAILURE_MS) : usualMs
}
