/*
 * Chooses the columns of a table that fit, and their widths, for printed lists and the terminal UI.
 */

/** Layout needs of a column. */
export interface Wish {
  /** Width of the widest value or the title. */
  natural: number
  title: number
  /** Whether values may be truncated. */
  cut: boolean
  /** Columns without a rank are hidden first, from the right, then those with the highest rank. */
  rank: number | undefined
}

export const GAP = 2
const CUT_MIN = 10

/** Returns the width of each column that fits, keyed by its index in `wishes`. */
export function fitColumns(wishes: readonly Wish[], width: number): Map<number, number> {
  // Even a single column is limited to the whole width.
  const natural = wishes.map((wish) => Math.min(width, wish.natural))
  const least = wishes.map(({ cut, title }, at) =>
    cut ? Math.min(natural[at] ?? 0, Math.max(CUT_MIN, title)) : (natural[at] ?? 0),
  )
  const rank = (at: number) => wishes[at]?.rank ?? Number.MAX_SAFE_INTEGER
  const wanted = [...wishes.keys()].sort((a, b) => rank(a) - rank(b) || a - b)
  const chosen: number[] = []
  let left = width + GAP
  for (const at of wanted) {
    const needed = (least[at] ?? 0) + GAP
    if (needed > left) break
    chosen.push(at)
    left -= needed
  }
  chosen.sort((a, b) => a - b)
  return widened(chosen, { natural, least, left })
}

/** Distributes the remaining width among truncated columns, the smallest need first. */
function widened(
  chosen: readonly number[],
  { natural, least, left }: { natural: readonly number[]; least: readonly number[]; left: number },
): Map<number, number> {
  const widths = new Map(chosen.map((at) => [at, least[at] ?? 0]))
  const missing = (at: number) => (natural[at] ?? 0) - (widths.get(at) ?? 0)
  let rest = Math.max(0, left)
  const hungry = chosen.filter((at) => missing(at) > 0).sort((a, b) => missing(a) - missing(b))
  hungry.forEach((at, served) => {
    const given = Math.min(missing(at), Math.floor(rest / (hungry.length - served)))
    widths.set(at, (widths.get(at) ?? 0) + given)
    rest -= given
  })
  return widths
}
