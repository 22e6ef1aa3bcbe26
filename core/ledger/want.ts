/** The quota that one request needs of a balance. */
export interface Want {
  /** The most that the request can use. */
  readonly quota: number
  /** Absent: the request gets all of `quota` or nothing. */
  readonly flexible?: Flexible | undefined
}

/** A request whose output can be limited: it gets less if the balance is small. */
export interface Flexible {
  /** The part due for any output. */
  readonly fixed: number
  /** The price of one output token, rounded up: the request is not worth sending without it. */
  readonly unit: number
  /** The output quota that it gets of a small balance, even if its share is less. */
  readonly least: number
  /** The part of the free balance that its output may use, in (0, 1]. */
  readonly share: number
}

/**
 * Returns how much of `room` a request gets; undefined if that does not cover it. `waiting`: how many requests want a part of the
 * same room, including this one. Each gets at most an equal part, so that as many as possible are served.
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

/** Returns the least quota that covers a request. */
export function leastOf({ quota, flexible }: Want): number {
  return flexible ? Math.min(quota, flexible.fixed + flexible.least) : quota
}
