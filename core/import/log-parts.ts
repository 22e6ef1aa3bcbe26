/** A range of the source's log ids. The id in the target is the source id plus `offset`. */
export interface LogPart {
  from: number
  to: number
  offset: number
  /** The last imported id. Initially `from - 1`. */
  done: number
}

/** Returns the parts of a range that no earlier import covers. */
export function uncoveredRanges(
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
 * Chooses the target ids of a range. `highest` is the highest allocated id. Keeps the source ids if all are above
 * `highest`, else uses the ids after `highest`. Returns the part and its highest target id.
 */
export function placePart(part: { from: number; to: number }, highest: number): { part: LogPart; last: number } {
  const offset = part.from > highest ? 0 : highest + 1 - part.from
  return { part: { ...part, offset, done: part.from - 1 }, last: part.to + offset }
}
