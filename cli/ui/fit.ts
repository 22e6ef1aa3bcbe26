import type { Column, Tone } from '../column.ts'
import { displayWidth } from '../display-width.ts'
import { fitColumns } from '../fit.ts'
import type { Format } from '../format.ts'
import { printable } from '../printable.ts'

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

const CUT_MAX = 80

/** The columns that have room beside each other, in their usual order. */
export function fitTable<T>(
  rows: readonly T[],
  all: readonly Column<T>[],
  { width, format }: { width: number; format: Format },
): FittedTable {
  const columns = all.filter(({ detail }) => !detail)
  const cells = rows.map((row) =>
    columns.map(({ value, tone }) => ({ text: printable(value(row, format)), tone: tone?.(row) })),
  )
  const wishes = columns.map(({ title, cut = false, rank }, at) => {
    const titleWidth = displayWidth(format.text(title))
    const widest = Math.max(titleWidth, ...cells.map((row) => displayWidth(row[at]?.text ?? '')))
    return { natural: Math.min(CUT_MAX, widest), title: titleWidth, cut, rank }
  })
  const widths = fitColumns(wishes, width)
  return {
    columns: [...widths].map(([at, columnWidth]) => ({
      title: format.text(columns[at]?.title ?? ''),
      width: columnWidth,
      align: columns[at]?.align ?? 'left',
    })),
    cells: cells.map((row) => [...widths.keys()].flatMap((at) => row[at] ?? [])),
  }
}
