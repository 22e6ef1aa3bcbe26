import Table from 'cli-table3'
import { displayWidth, padded } from './display-width.ts'
import type { Format } from './format.ts'
import { printable } from './printable.ts'

/** How a value is coloured on a terminal. */
export type Tone = 'good' | 'bad' | 'faint'

/** A column of a list, and a line of a single record. */
export interface Column<T> {
  title: string
  value: (row: T, format: Format) => string
  tone?: (row: T) => Tone | undefined
  align?: 'right'
  /** May be cut on a terminal that is too narrow. */
  cut?: true
  /** Only in the view of a single record. */
  detail?: true
}

export const GAP = 2
const CUT_MIN = 12
const ROWS_AT_ONCE = 100
const SIDES = ['top', 'bottom', 'left', 'right', 'mid', 'middle']
const NO_BORDERS = Object.fromEntries(
  SIDES.flatMap((side) => ['', '-mid', '-left', '-right'].map((part) => [side + part, ''])),
)

/** Rows under one line of titles. `width`: the terminal's; undefined: nothing is cut. */
export function renderTable<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  { format, width }: { format: Format; width: number | undefined },
): string {
  const shown = columns.filter(({ detail }) => !detail)
  const cells = rows.map((row) => shown.map((column) => cell(row, column, format)))
  const titles = shown.map(({ title }) => format.text(title).toUpperCase())
  const texts = [titles, ...rows.map((row) => shown.map(({ value }) => printable(value(row, format))))]
  const natural = shown.map((_, at) =>
    texts.reduce((widest, line) => Math.max(widest, displayWidth(line[at] ?? '')), 0),
  )
  // The library's work grows with the square of the rows: a long table is made of parts, whose columns must be told their widths.
  const whole = width === undefined && rows.length < ROWS_AT_ONCE
  const cut = shown.map((column) => column.cut === true)
  const widths = whole ? [] : width === undefined ? natural : shrink(natural, { cut, width })
  const lines = [titles.map((title) => format.color.dim(title)), ...cells]
  const parts = Array.from({ length: Math.ceil(lines.length / ROWS_AT_ONCE) }, (_, at) =>
    lines.slice(at * ROWS_AT_ONCE, (at + 1) * ROWS_AT_ONCE),
  )
  return parts
    .flatMap((part) => {
      const table = new Table({
        chars: NO_BORDERS,
        style: { head: [], border: [], 'padding-left': 0, 'padding-right': GAP, compact: true },
        colWidths: widths.map((columnWidth) => columnWidth + GAP),
        colAligns: shown.map(({ align }) => align ?? 'left'),
      })
      table.push(...part)
      return table.toString().split('\n')
    })
    .map((line) => line.trimEnd())
    .join('\n')
}

/** One record, a line for each column. */
export function renderRecord<T>(row: T, columns: readonly Column<T>[], format: Format): string {
  const titles = columns.map(({ title }) => format.text(title))
  const titleWidth = Math.max(...titles.map(displayWidth)) + GAP
  return columns
    .map((column, at) =>
      `${format.color.dim(padded(titles[at] ?? '', titleWidth))}${cell(row, column, format)}`.trimEnd(),
    )
    .join('\n')
}

/** A value as it is shown, coloured where colours are. */
export function cell<T>(row: T, { value, tone }: Column<T>, format: Format): string {
  const text = printable(value(row, format))
  const { green, red, dim } = format.color
  const paint = { good: green, bad: red, faint: dim }
  const chosen = tone?.(row)
  return chosen ? paint[chosen](text) : text
}

/** Takes the width that is missing from the columns that may be cut, widest first. */
function shrink(natural: readonly number[], { cut, width }: { cut: readonly boolean[]; width: number }): number[] {
  const widths = [...natural]
  let over = widths.reduce((sum, each) => sum + each + GAP, 0) - GAP - width
  while (over > 0) {
    const candidates = widths.map((each, at) => (cut[at] && each > CUT_MIN ? each : 0))
    const widest = Math.max(...candidates)
    if (widest === 0) break
    widths[candidates.indexOf(widest)] = widest - 1
    over -= 1
  }
  return widths
}
