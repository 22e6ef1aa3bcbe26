/** What one request wants of a balance, in quota. */
export interface Want {
  /** The most that it uses. */
  readonly quota: number
  /** Absent: it takes all of `quota` or nothing. */
  readonly flexible?: Flexible | undefined
}

/** A request whose output can be limited: it takes less where the balance is small. */
export interface Flexible {
  /** The part that is due whatever the output is. */
  readonly fixed: number
  /** What one token of output costs, rounded up: without it the request is not worth sending. */
  readonly unit: number
  /** Output that it gets of a small balance even if its share is less. */
  readonly least: number
  /** The part of the free balance that it may take for its output, in (0, 1]. */
  readonly share: number
}

/**
 * Returns how much of `room` a request gets; undefined if that does not cover it. `waiting`: how many requests want a part of
 * the same room, this one included. Each gets its equal part at most, so that all of them are served as far as possible.
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

/** The least that covers a request. */
export function leastOf({ quota, flexible }: Want): number {
  return flexible ? Math.min(quota, flexible.fixed + flexible.least) : quota
}
