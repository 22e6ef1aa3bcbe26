import { type Column, titleOf } from './column.ts'
import { displayWidth } from './display-width.ts'
import { GAP } from './fit.ts'
import type { Format } from './format.ts'
import { cell } from './table.ts'

/** Formats a growing table line by line. */
interface Lines<T> {
  /** Widens the columns for these rows, so that titles align with them. */
  fit(rows: readonly T[]): void
  titles(): string
  line(row: T): string
}

/**
 * Creates the lines. At first, the width of a column is `room`. A wider value makes the column wider for all later
 * lines.
 */
export function createLines<T>(columns: readonly Column<T>[], format: Format): Lines<T> {
  const visibleColumns = columns.filter(({ detail }) => !detail)
  const titles = visibleColumns.map((column) => titleOf(column, format).toUpperCase())
  const widths = titles.map((title, at) => Math.max(displayWidth(title), visibleColumns[at]?.room ?? 0))

  function alignCells(cells: readonly { text: string; width: number }[]): string {
    const padded = cells.map(({ text, width }, at) => {
      widths[at] = Math.max(widths[at] ?? 0, width)
      const room = ' '.repeat((widths[at] ?? 0) - width)
      return visibleColumns[at]?.align === 'right' ? room + text : text + room
    })
    return padded.join(' '.repeat(GAP)).trimEnd()
  }

  const cellsOf = (row: T) =>
    visibleColumns.map((column) => ({
      text: cell(row, column, format),
      width: displayWidth(cell(row, { ...column, tone: () => undefined }, format)),
    }))

  return {
    fit(rows) {
      for (const row of rows) alignCells(cellsOf(row))
    },
    titles: () => format.color.dim(alignCells(titles.map((text) => ({ text, width: displayWidth(text) })))),
    line: (row) => alignCells(cellsOf(row)),
  }
}
