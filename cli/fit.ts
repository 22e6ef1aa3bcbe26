/*
 * Which columns of a table have room beside each other, and how wide each is: one decision for lists that are printed and for
 * those of the terminal UI.
 */

/** What a column would like. */
export interface Wish {
  /** Width of its widest value, or of its title. */
  natural: number
  title: number
  /** Its values may be cut. */
  cut: boolean
  /** 1: the last to be left out. Those without a rank go first, from the right. */
  rank: number | undefined
}

export const GAP = 2
const CUT_MIN = 10

/** The widths of the columns that have room, under their places in the order of the wishes; the others are left out. */
export function fitColumns(wishes: readonly Wish[], width: number): Map<number, number> {
  // Even the only column there is has no more than the whole width.
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

/** Gives the columns that were cut what is left, the narrowest first. */
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
