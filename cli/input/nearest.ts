/** Returns the candidate that is most similar to `word`; undefined if none is similar. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const lowerWord = word.toLowerCase()
  const stepsMax = Math.max(1, Math.floor(lowerWord.length * 0.4))
  let best: { candidate: string; steps: number } | undefined
  for (const candidate of candidates) {
    const steps = stepsBetween(lowerWord, candidate.toLowerCase())
    if (steps <= stepsMax && steps < candidate.length && steps < (best?.steps ?? Number.POSITIVE_INFINITY)) {
      best = { candidate, steps }
    }
  }
  return best?.candidate
}

/** Returns the edit distance, in which a swap of neighbors is one step (optimal string alignment). */
function stepsBetween(a: string, b: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let row = 1; row <= a.length; row++) {
    const next = [row]
    for (let at = 1; at <= b.length; at++) {
      const substitution = a[row - 1] === b[at - 1] ? 0 : 1
      const swapped = a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1] ? (before[at - 2] ?? 0) + 1 : Infinity
      next.push(Math.min((last[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, (last[at - 1] ?? 0) + substitution, swapped))
    }
    ;[before, last] = [last, next]
  }
  return last[b.length] ?? Number.POSITIVE_INFINITY
}
