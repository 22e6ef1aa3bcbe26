/*
 * Chooses the columns of a table that fit, and their widths, for printed lists and the terminal UI.
 */

/** Layout needs of a column. */
interface ColumnNeeds {
  /** Width of the widest value, or of the title if the title is wider. */
  natural: number
  /** Width of the title. */
  title: number
  /** Whether values may be truncated. */
  cut: boolean
  /** Order of hiding. Columns without a rank are hidden first, from the right, then columns with the highest rank. */
  rank: number | undefined
}

/** Number of blanks between two columns. */
export const GAP = 2
/** Minimum width of a truncated column. */
const CUT_WIDTH_MIN = 10

/** Returns the width of each column that fits, keyed by its index in `needs`. */
export function fitColumns(needs: readonly ColumnNeeds[], width: number): Map<number, number> {
  // A column may have at most the whole width.
  const natural = needs.map((column) => Math.min(width, column.natural))
  const least = needs.map(({ cut, title }, at) =>
    cut ? Math.min(natural[at] ?? 0, Math.max(CUT_WIDTH_MIN, title)) : (natural[at] ?? 0),
  )
  const rank = (at: number) => needs[at]?.rank ?? Number.MAX_SAFE_INTEGER
  const byRank = [...needs.keys()].sort((a, b) => rank(a) - rank(b) || a - b)
  const chosen: number[] = []
  let remainingWidth = width + GAP
  for (const at of byRank) {
    const needed = (least[at] ?? 0) + GAP
    if (needed > remainingWidth) break
    chosen.push(at)
    remainingWidth -= needed
  }
  chosen.sort((a, b) => a - b)
  return distributeWidth(chosen, { natural, least, remainingWidth })
}

/** Distributes the remaining width among truncated columns. The column that needs the least gets its share first. */
function distributeWidth(
  chosen: readonly number[],
  { natural, least, remainingWidth }: { natural: readonly number[]; least: readonly number[]; remainingWidth: number },
): Map<number, number> {
  const widths = new Map(chosen.map((at) => [at, least[at] ?? 0]))
  const missing = (at: number) => (natural[at] ?? 0) - (widths.get(at) ?? 0)
  let freeWidth = Math.max(0, remainingWidth)
  const truncatedColumns = chosen.filter((at) => missing(at) > 0).sort((a, b) => missing(a) - missing(b))
  truncatedColumns.forEach((at, servedCount) => {
    const addedWidth = Math.min(missing(at), Math.floor(freeWidth / (truncatedColumns.length - servedCount)))
    widths.set(at, (widths.get(at) ?? 0) + addedWidth)
    freeWidth -= addedWidth
  })
  return widths
}
