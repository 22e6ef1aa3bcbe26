/** One channel as a candidate for a relay: what the choice among channels is made by. */
export interface Candidate {
  readonly id: number
  readonly priority: number
  readonly weight: number
}

/** Candidates of one priority. */
export interface Tier<T extends Candidate> {
  readonly priority: number
  readonly candidates: readonly T[]
  /** At each index the sum of the shares up to and with that candidate: what a random number is looked up in. */
  readonly cumulative: Float64Array
}

/** The channels that may serve a relay, highest priority first, ready to be drawn from. */
export interface Pool<T extends Candidate> {
  readonly tiers: readonly Tier<T>[]
  /** How many candidates there are. */
  readonly size: number
}

/** Every channel's weight counts for this much more, so that weight 0 still gets its share. */
export const WEIGHT_SMOOTHING = 10

/** Draws from a whole tier that may hit a refused candidate, before all of it is walked: many are cheap beside thousands. */
const DRAWS_MAX = 24

export const EMPTY_POOL: Pool<never> = { tiers: [], size: 0 }

/** The order in which candidates stand in a pool, the same in every process. */
export function byPriority(a: Candidate, b: Candidate): number {
  return b.priority - a.priority || a.id - b.id
}

/** A pool of candidates that are sorted `byPriority`. */
export function poolOfSorted<T extends Candidate>(sorted: readonly T[]): Pool<T> {
  const tiers: Tier<T>[] = []
  for (let start = 0; start < sorted.length; ) {
    const { priority } = sorted[start] as T
    let end = start + 1
    while (end < sorted.length && sorted[end]?.priority === priority) end++
    tiers.push(tierOf(priority, sorted.slice(start, end)))
    start = end
  }
  return { tiers, size: sorted.length }
}

/** A pool of candidates in whatever order. */
export function poolOf<T extends Candidate>(candidates: readonly T[]): Pool<T> {
  return poolOfSorted(candidates.toSorted(byPriority))
}

/**
 * The next channel to try: of those that `may` be asked, one of the highest priority, each with probability (weight + 10) in
 * the sum of those that are left in its tier. A tier is exhausted before the next lower one. `random` answers numbers that
 * are uniform in [0, 1); one that repeats its numbers repeats the choice. `may` answers the same for the same candidate
 * throughout one choice.
 */
export function pickChannel<T extends Candidate>(
  { tiers }: Pool<T>,
  may: (candidate: T) => boolean,
  random: () => number,
): T | undefined {
  for (const tier of tiers) {
    // Whoever is refused is drawn again, which leaves the shares of the others as they are; mostly nobody is.
    const draws = Math.min(tier.candidates.length, DRAWS_MAX)
    for (let draw = 0; draw < draws; draw++) {
      const candidate = drawFrom(tier, random())
      if (may(candidate)) return candidate
    }
    const left = allowed(tier, may)
    if (left.candidates.length) return drawFrom(left, random())
  }
  return undefined
}

/** All of a pool, highest priority first. */
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

/** What is left of a tier. A plain loop: it may be thousands of channels, in the way of a request. */
function allowed<T extends Candidate>({ candidates, priority }: Tier<T>, may: (candidate: T) => boolean): Tier<T> {
  const left: T[] = []
  for (let index = 0; index < candidates.length; index++) {
    const candidate = candidates[index] as T
    if (may(candidate)) left.push(candidate)
  }
  return tierOf(priority, left)
}

/** The first whose cumulative share exceeds that part of the whole. */
function drawFrom<T extends Candidate>({ candidates, cumulative }: Tier<T>, part: number): T {
  let low = 0
  let high = cumulative.length - 1
  const at = part * (cumulative[high] as number)
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((cumulative[middle] as number) > at) high = middle
    else low = middle + 1
  }
  return candidates[low] as T
}
