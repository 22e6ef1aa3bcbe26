/** One channel as a candidate for a relay: what the choice among channels is made by. */
export interface Candidate {
  readonly id: number
  readonly priority: number
  readonly weight: number
}

/** Every channel's weight counts for this much more, so that weight 0 still gets its share. */
export const WEIGHT_SMOOTHING = 10

/**
 * The next channel to try: of those not tried yet, one of the highest priority, each with probability (weight + 10) in
 * the sum of its tier. A tier is exhausted before the next lower one. `random` is uniform in [0, 1).
 * Candidates are sorted by priority, highest first.
 */
export function pickChannel<T extends Candidate>(
  candidates: readonly T[],
  tried: ReadonlySet<number>,
  random: number,
): T | undefined {
  const left = tried.size ? candidates.filter(({ id }) => !tried.has(id)) : candidates
  const first = left[0]
  if (!first) return undefined
  let sum = 0
  let end = 0
  for (; end < left.length && left[end]?.priority === first.priority; end++)
    sum += (left[end]?.weight ?? 0) + WEIGHT_SMOOTHING
  let at = Math.floor(random * sum)
  for (let index = 0; index < end; index++) {
    const candidate = left[index] as T
    at -= candidate.weight + WEIGHT_SMOOTHING
    if (at < 0) return candidate
  }
  return first
}
