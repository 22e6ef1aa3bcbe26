/** The quota that one request needs of a balance. */
export interface Want {
  /** Maximum quota that the request can use. */
  readonly quota: number
  /** If absent, the request gets all of `quota` or nothing. */
  readonly flexible?: Flexible | undefined
}

/** Limits the output of a request if the balance is small. The request then gets less than its maximum quota. */
interface Flexible {
  /** The quota that the request costs before its output. */
  readonly fixed: number
  /** The price of one output token in quota, rounded up. If the balance covers no token, the request is rejected. */
  readonly unit: number
  /** The output quota that the request gets at least, if the free balance covers it. */
  readonly outputQuotaMin: number
  /** The fraction of the free balance that the output may use, in (0, 1]. */
  readonly fraction: number
}

/**
 * Returns how much of the free quota (`room`) a request gets, or undefined if `room` does not cover the request.
 * `waiting` is the number of requests that share `room`, including this one. A flexible request gets at most an equal
 * part, but at least `outputQuotaMin` if possible.
 */
export function grantOf(
  { quota, flexible }: Want,
  { room, waiting }: { room: number; waiting: number },
): number | undefined {
  if (!flexible) return quota <= room ? quota : undefined
  const { fixed, unit, outputQuotaMin, fraction } = flexible
  const free = room - fixed
  if (free < unit) return undefined
  const part = Math.floor(Math.min(free * fraction, room / waiting - fixed))
  return Math.min(quota, fixed + Math.max(part, Math.min(outputQuotaMin, free)))
}

/** Returns the smallest quota that is enough for a request. */
export function leastOf({ quota, flexible }: Want): number {
  return flexible ? Math.min(quota, flexible.fixed + flexible.outputQuotaMin) : quota
}
