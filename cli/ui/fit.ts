import { type Column, type Tone, titleOf, withOnePrecision } from '../output/column.ts'
import { displayWidth } from '../output/display-width.ts'
import { fitColumns } from '../output/fit.ts'
import type { Format } from '../output/format.ts'
import { sanitizeName } from '../output/sanitize.ts'
import type { RowOrder } from './use-window.ts'

export interface FittedCell {
  text: string
  tone: Tone | undefined
}
export interface FittedColumn {
  title: string
  width: number
  align: 'left' | 'right'
}
interface FittedTable {
  columns: readonly FittedColumn[]
  cells: readonly (readonly FittedCell[])[]
}

/** Maximum width of every column, so that one long value does not hide all other columns. */
const COLUMN_WIDTH_MAX = 80

/** Returns the columns that fit into `width`, in their usual order, and the cells of these columns. */
export function fitTable<T>(
  rows: readonly T[],
  allColumns: readonly Column<T>[],
  { width, format, order }: { width: number; format: Format; order?: RowOrder<T> | undefined },
): FittedTable {
  const columns = allColumns.filter(({ detail }) => !detail).map((column) => withOnePrecision(column, rows, format))
  const titles = columns.map(
    (column) => titleOf(column, format) + (column.name === order?.column.name ? (order.sign === 1 ? '▲' : '▼') : ''),
  )
  const cells = rows.map((row) =>
    columns.map(({ value, tone }) => ({ text: sanitizeName(value(row, format)), tone: tone?.(row) })),
  )
  const needs = columns.map(({ cut = false, rank }, at) => {
    const titleWidth = displayWidth(titles[at] ?? '')
    const widest = Math.max(titleWidth, ...cells.map((row) => displayWidth(row[at]?.text ?? '')))
    return { natural: Math.min(COLUMN_WIDTH_MAX, widest), title: titleWidth, cut, rank }
  })
  const widths = fitColumns(needs, width)
  return {
    columns: [...widths].map(([at, columnWidth]) => ({
      title: titles[at] ?? '',
      width: columnWidth,
      align: columns[at]?.align ?? 'left',
    })),
    cells: cells.map((row) => [...widths.keys()].flatMap((at) => row[at] ?? [])),
  }
}
