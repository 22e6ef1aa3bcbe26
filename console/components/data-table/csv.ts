import { saveFile } from '../save-file.ts'
import type { TableColumn } from './column.ts'

/** Terminal control characters, bidirectional controls and line breaks. */
const CONTROL = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu
/** Matches formulas of spreadsheets. Some spreadsheets ignore leading blanks or accept full-width signs. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/

/** Returns one CSV cell. Prefixes formulas with an apostrophe, so that spreadsheets do not run input of users. */
function cell(value: string | number | boolean): string {
  const text = String(value).replace(CONTROL, ' ')
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const line = (cells: readonly (string | number | boolean)[]) => `${cells.map(cell).join(',')}\r\n`

function exportedColumnsOf<Row>(columns: readonly TableColumn<Row>[]) {
  return columns.flatMap(({ title, value }) => (value ? [{ title, value }] : []))
}

/** Returns CSV as in RFC 4180, with a byte order mark, so that spreadsheets detect UTF-8. */
export function toCsv<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[]): string {
  return `\uFEFF${line(exportedColumnsOf(columns).map(({ title }) => title))}${toCsvLines(columns, rows)}`
}

function toCsvLines<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[]): string {
  const exportedColumns = exportedColumnsOf(columns)
  return rows.map((row) => line(exportedColumns.map(({ value }) => value(row)))).join('')
}

export function saveCsv<Row>(name: string, columns: readonly TableColumn<Row>[], rows: readonly Row[]): void {
  saveFile(`${name}.csv`, toCsv(columns, rows), 'text/csv')
}

/** Like `saveCsv`, for so many rows that they arrive in parts, to save memory. */
export async function saveCsvParts<Row>(
  name: string,
  columns: readonly TableColumn<Row>[],
  batches: AsyncIterable<readonly Row[]>,
): Promise<void> {
  // Browsers can store blobs on disk, so each part becomes a blob.
  const parts = [new Blob([toCsv(columns, [])])]
  for await (const rows of batches) parts.push(new Blob([toCsvLines(columns, rows)]))
  saveFile(`${name}.csv`, parts, 'text/csv')
}
