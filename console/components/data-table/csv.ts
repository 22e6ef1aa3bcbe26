import { saveFile } from '../save-file.ts'
import type { Column } from './column.ts'

/** Terminal control characters, bidirectional controls and line breaks. */
const CONTROL = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu
/** Some spreadsheets ignore blanks before a formula, and treat full-width signs like plain ones. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/

/** Prefixes formulas so that spreadsheets treat them as text: user input must not run there. */
function cell(value: string | number | boolean): string {
  const text = String(value).replace(CONTROL, ' ')
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const line = (cells: readonly (string | number | boolean)[]) => `${cells.map(cell).join(',')}\r\n`

function exportedOf<Row>(columns: readonly Column<Row>[]) {
  return columns.flatMap(({ title, value }) => (value ? [{ title, value }] : []))
}

/** Returns RFC 4180 CSV, with a byte order mark by which spreadsheets detect UTF-8. */
export function toCsv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  return `\uFEFF${line(exportedOf(columns).map(({ title }) => title))}${toCsvLines(columns, rows)}`
}

function toCsvLines<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const exported = exportedOf(columns)
  return rows.map((row) => line(exported.map(({ value }) => value(row)))).join('')
}

export function saveCsv<Row>(name: string, columns: readonly Column<Row>[], rows: readonly Row[]): void {
  saveFile(`${name}.csv`, toCsv(columns, rows), 'text/csv')
}

/** Like `saveCsv`, for rows in batches that may exceed the memory of a script. */
export async function saveCsvBatches<Row>(
  name: string,
  columns: readonly Column<Row>[],
  batches: AsyncIterable<readonly Row[]>,
): Promise<void> {
  // Browsers can store blobs on disk.
  const parts = [new Blob([toCsv(columns, [])])]
  for await (const rows of batches) parts.push(new Blob([toCsvLines(columns, rows)]))
  saveFile(`${name}.csv`, parts, 'text/csv')
}
