import Table from 'cli-table3'
import { type Column, titleOf, withOnePrecision } from './column.ts'
import { displayWidth, padded } from './display-width.ts'
import { fitColumns, GAP } from './fit.ts'
import type { Format } from './format.ts'
import { sanitizeName } from './sanitize.ts'

const ROWS_AT_ONCE = 100
const SIDES = ['top', 'bottom', 'left', 'right', 'mid', 'middle']
const NO_BORDERS = Object.fromEntries(
  SIDES.flatMap((side) => ['', '-mid', '-left', '-right'].map((part) => [side + part, ''])),
)

/** A rendered table, and the columns that did not fit. */
interface Rendered<T> {
  text: string
  hidden: readonly Column<T>[]
}

/** Renders rows under a title line. `width`: the terminal's width; if undefined, no column is truncated or hidden. */
export function renderTable<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  { format, width }: { format: Format; width: number | undefined },
): Rendered<T> {
  const listed = columns.filter(({ detail }) => !detail).map((column) => withOnePrecision(column, rows, format))
  const needs = listed.map((column) => {
    const { value, cut = false, rank } = column
    const titleWidth = displayWidth(titleOf(column, format))
    const natural = rows.reduce(
      (widest, row) => Math.max(widest, displayWidth(sanitizeName(value(row, format)))),
      titleWidth,
    )
    return { natural, title: titleWidth, cut, rank }
  })
  const columnWidths =
    width === undefined ? new Map(needs.map(({ natural }, at) => [at, natural])) : fitColumns(needs, width)
  const fittingColumns = listed.filter((_, at) => columnWidths.has(at))
  return {
    text: tableOf(rows, fittingColumns, { format, widths: [...columnWidths.values()], whole: width === undefined }),
    hidden: listed.filter((_, at) => !columnWidths.has(at)),
  }
}

function tableOf<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  { format, widths, whole }: { format: Format; widths: readonly number[]; whole: boolean },
): string {
  const titles = columns.map((column) => titleOf(column, format).toUpperCase())
  const cells = rows.map((row) => columns.map((column) => cell(row, column, format)))
  // The table library is quadratic in the number of rows. Long tables are rendered in parts, which need explicit column
  // widths.
  const explicitWidths = whole && rows.length < ROWS_AT_ONCE ? [] : widths
  const lines = [titles.map((title) => format.color.dim(title)), ...cells]
  const parts = Array.from({ length: Math.ceil(lines.length / ROWS_AT_ONCE) }, (_, at) =>
    lines.slice(at * ROWS_AT_ONCE, (at + 1) * ROWS_AT_ONCE),
  )
  return parts
    .flatMap((part) => {
      const table = new Table({
        chars: NO_BORDERS,
        style: { head: [], border: [], 'padding-left': 0, 'padding-right': GAP, compact: true },
        colWidths: explicitWidths.map((columnWidth) => columnWidth + GAP),
        colAligns: columns.map(({ align }) => align ?? 'left'),
      })
      table.push(...part)
      return table.toString().split('\n')
    })
    .map((line) => line.trimEnd())
    .join('\n')
}

/** Renders one record, a line for each column. */
export function renderRecord<T>(row: T, columns: readonly Column<T>[], format: Format): string {
  const titles = columns.map((column) => titleOf(column, format))
  const titleWidth = Math.max(...titles.map(displayWidth)) + GAP
  return columns
    .map((column, at) =>
      `${format.color.dim(padded(titles[at] ?? '', titleWidth))}${cell(row, column, format)}`.trimEnd(),
    )
    .join('\n')
}

/** Formats a value, with color if enabled. */
export function cell<T>(row: T, { value, tone }: Column<T>, format: Format): string {
  const text = sanitizeName(value(row, format))
  const { green, yellow, red, cyan, dim } = format.color
  const paint = { good: green, warn: yellow, bad: red, money: cyan, faint: dim }
  const toneName = tone?.(row)
  return toneName ? paint[toneName](text) : text
}
