import { displayWidth } from '../display-width.ts'
import type { Format } from '../format.ts'
import { printable } from '../printable.ts'
import type { Column, Tone } from '../table.ts'

export interface Cell {
  text: string
  tone: Tone | undefined
}
export interface FittedColumn {
  title: string
  width: number
  align: 'left' | 'right'
}
export interface FittedTable {
  columns: readonly FittedColumn[]
  cells: readonly (readonly Cell[])[]
}

export const GAP = 2
const CUT_MIN = 10
const CUT_MAX = 80

/**
 * The columns that have room beside each other, in their usual order. `first`: titles by importance; the others follow. What may
 * be cut takes what is left.
 */
export function fitTable<T>(
  rows: readonly T[],
  all: readonly Column<T>[],
  { width, first, format }: { width: number; first: readonly string[]; format: Format },
): FittedTable {
  const columns = all.filter(({ detail }) => !detail)
  const cells = rows.map((row) =>
    columns.map(({ value, tone }) => ({ text: printable(value(row, format)), tone: tone?.(row) })),
  )
  const titles = columns.map(({ title }) => format.text(title))
  const natural = titles.map((title, at) =>
    Math.min(CUT_MAX, Math.max(displayWidth(title), ...cells.map((row) => displayWidth(row[at]?.text ?? '')))),
  )
  const least = natural.map((own, at) =>
    columns[at]?.cut ? Math.min(own, Math.max(CUT_MIN, displayWidth(titles[at] ?? ''))) : own,
  )
  const rank = ({ title }: Column<T>) => (first.includes(title) ? first.indexOf(title) : first.length)
  const wanted = columns
    .map((column, at) => ({ at, rank: rank(column) }))
    .sort((a, b) => a.rank - b.rank || a.at - b.at)

  const chosen: number[] = []
  let left = width + GAP
  for (const { at } of wanted) {
    const needed = (least[at] ?? 0) + GAP
    if (needed > left && chosen.length > 0) break
    chosen.push(at)
    left -= needed
  }
  chosen.sort((a, b) => a - b)
  const widths = widened(chosen, { natural, least, left })
  return {
    columns: chosen.map((at) => ({
      title: titles[at] ?? '',
      width: widths.get(at) ?? 0,
      align: columns[at]?.align ?? 'left',
    })),
    cells: cells.map((row) => chosen.flatMap((at) => row[at] ?? [])),
  }
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
