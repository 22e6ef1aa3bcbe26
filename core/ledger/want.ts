/** The quota that one request needs of a balance. */
export interface Want {
  /** Maximum quota that the request can use. */
  readonly quota: number
  /** If absent, the request gets all of `quota` or nothing. */
  readonly flexible?: Flexible | undefined
}

/** How to limit the output of a request. If the balance is small, the request gets less quota. */
export interface Flexible {
  /** The quota that the request costs before its output. */
  readonly fixed: number
  /** The price of one output token in quota, rounded up. If the balance does not cover one token, the request is rejected. */
  readonly unit: number
  /** The output quota that the request gets even if its share of a small balance is less. */
  readonly least: number
  /** The share of the free balance that the output may use, in (0, 1]. */
  readonly share: number
}

/**
 * Returns how much of the free quota (`room`) a request gets, or undefined if `room` does not cover it. `waiting` is the number
 * of requests that share `room`, including this one. A flexible request gets at most an equal part, but at least `least`, so
 * that many requests are served.
 */
export function grantOf(
  { quota, flexible }: Want,
  { room, waiting }: { room: number; waiting: number },
): number | undefined {
  if (!flexible) return quota <= room ? quota : undefined
  const { fixed, unit, least, share } = flexible
  const free = room - fixed
  if (free < unit) return undefined
  const part = Math.floor(Math.min(free * share, room / waiting - fixed))
  return Math.min(quota, fixed + Math.max(part, Math.min(least, free)))
}

/** Returns the smallest quota that is enough for a request. */
export function leastOf({ quota, flexible }: Want): number {
  return flexible ? Math.min(quota, flexible.fixed + flexible.least) : quota
}
