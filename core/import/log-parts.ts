/** A range of log rows of a source, by their ids there; here each has its id plus `offset`. */
export interface LogPart {
  from: number
  to: number
  offset: number
  /** The last id that is imported; `from - 1` before the first. */
  done: number
}

/** The parts of a range that no earlier import covers. */
export function uncovered(
  { from, to }: { from: number; to: number },
  covered: readonly Pick<LogPart, 'from' | 'done'>[],
): { from: number; to: number }[] {
  const parts: { from: number; to: number }[] = []
  let next = from
  for (const part of [...covered].sort((a, b) => a.from - b.from)) {
    if (part.done < next || part.from > to) continue
    if (part.from > next) parts.push({ from: next, to: part.from - 1 })
    next = part.done + 1
  }
  if (next <= to) parts.push({ from: next, to })
  return parts
}

/**
 * Gives a part its ids here: those of the source where all of them are above what was ever given out, else the next ones. Returns the
 * part and the highest id that it takes.
 */
export function placePart(part: { from: number; to: number }, highest: number): { part: LogPart; last: number } {
  const offset = part.from > highest ? 0 : highest + 1 - part.from
  return { part: { ...part, offset, done: part.from - 1 }, last: part.to + offset }
}
