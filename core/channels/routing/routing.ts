/** A channel that a relay may choose, with the fields on which the choice depends. */
export interface Candidate {
  readonly id: number
  readonly priority: number
  readonly weight: number
}

/** Candidates of one priority. */
interface Tier<T extends Candidate> {
  readonly priority: number
  readonly candidates: readonly T[]
  /** Sum of (weight + WEIGHT_SMOOTHING) of all candidates up to and including this index. */
  readonly cumulative: Float64Array
}

/** The channels that may serve a relay, highest priority first, prepared for random draws. */
export interface Pool<T extends Candidate> {
  readonly tiers: readonly Tier<T>[]
  readonly size: number
}

/** Added to every channel's weight, so that a channel with weight 0 also gets requests. */
const WEIGHT_SMOOTHING = 10

/** Maximum number of random draws before the whole tier, with possibly thousands of channels, is filtered. */
const DRAWS_MAX = 24

export const EMPTY_POOL: Pool<never> = { tiers: [], size: 0 }

/** Compares candidates by their order in a pool, which is the same in every process. */
export function byPriority(a: Candidate, b: Candidate): number {
  return b.priority - a.priority || a.id - b.id
}

/** Returns a pool of candidates sorted `byPriority`. */
export function poolOfSorted<T extends Candidate>(sorted: readonly T[]): Pool<T> {
  const tiers: Tier<T>[] = []
  let start = 0
  for (let first = sorted[0]; first; first = sorted[start]) {
    const { priority } = first
    let end = start + 1
    while (end < sorted.length && sorted[end]?.priority === priority) end++
    tiers.push(tierOf(priority, sorted.slice(start, end)))
    start = end
  }
  return { tiers, size: sorted.length }
}

/** Returns a pool of candidates in any order. */
export function poolOf<T extends Candidate>(candidates: readonly T[]): Pool<T> {
  return poolOfSorted(candidates.toSorted(byPriority))
}

/**
 * Returns the next channel to try, or undefined if none is allowed. Chooses among the channels of the highest priority
 * that `isAllowed` allows. A channel's probability is (weight + 10), divided by the sum for all these channels.
 * `random` returns numbers uniform in [0, 1). The same numbers give the same choice. During one call, `isAllowed` must
 * always return the same for a candidate.
 */
export function pickChannel<T extends Candidate>(
  { tiers }: Pool<T>,
  isAllowed: (candidate: T) => boolean,
  random: () => number,
): T | undefined {
  for (const tier of tiers) {
    // Redraw if the candidate is not allowed. Redrawing keeps the proportions among the allowed candidates.
    const draws = Math.min(tier.candidates.length, DRAWS_MAX)
    for (let draw = 0; draw < draws; draw++) {
      const candidate = drawFrom(tier, random())
      if (candidate && isAllowed(candidate)) return candidate
    }
    const allowedTier = filterTier(tier, isAllowed)
    if (allowedTier.candidates.length) return drawFrom(allowedTier, random())
  }
  return undefined
}

/** Returns all candidates of a pool, highest priority first. */
export function candidatesOf<T extends Candidate>({ tiers }: Pool<T>): T[] {
  return tiers.flatMap(({ candidates }) => candidates)
}

function tierOf<T extends Candidate>(priority: number, candidates: readonly T[]): Tier<T> {
  const cumulative = new Float64Array(candidates.length)
  let sum = 0
  for (const [index, { weight }] of candidates.entries()) {
    sum += weight + WEIGHT_SMOOTHING
    cumulative[index] = sum
  }
  return { priority, candidates, cumulative }
}

/** Returns the tier with only the allowed candidates. A plain loop is faster for thousands of channels. */
function filterTier<T extends Candidate>(
  { candidates, priority }: Tier<T>,
  isAllowed: (candidate: T) => boolean,
): Tier<T> {
  const allowed: T[] = []
  for (let index = 0; index < candidates.length; index++) {
    const candidate = candidates[index]
    if (candidate && isAllowed(candidate)) allowed.push(candidate)
  }
  return tierOf(priority, allowed)
}

/** Returns the candidate for a random number in [0, 1). More weight covers a larger range of numbers. */
function drawFrom<T extends Candidate>({ candidates, cumulative }: Tier<T>, random: number): T | undefined {
  let low = 0
  let high = cumulative.length - 1
  const target = random * (cumulative[high] ?? 0)
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((cumulative[middle] ?? 0) > target) high = middle
    else low = middle + 1
  }
  return candidates[low]
}
