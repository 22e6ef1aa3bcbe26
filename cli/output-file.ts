import { closeSync, openSync, writeSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import type { Cli } from './cli.ts'
import type { Column } from './column.ts'
import { CommandError, usageError } from './errors.ts'
import { plainFormat } from './format.ts'
import { jsonText } from './json.ts'
import { printable } from './printable.ts'
import { renderTable } from './table.ts'
import { counted } from './words.ts'

/** A file of that name is hardly meant. Throws a usage error. */
export function refuseStdout(path: string): void {
  if (path === '-') throw usageError('- is no file for --output: without --output it goes to stdout')
}

/** Opens a file that does not exist yet, so that nothing is lost, and that nobody else may read. Throws FILE_EXISTS, FILE_UNWRITABLE, and as `refuseStdout`. */
export function openNew(folder: string, path: string): number {
  refuseStdout(path)
  try {
    return openSync(resolve(folder, path), 'wx', 0o600)
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === 'EEXIST') {
      throw new CommandError('FILE_EXISTS', `${path} exists already: give another --output`, { cause })
    }
    throw new CommandError('FILE_UNWRITABLE', `cannot write the --output file: ${message}`, { cause })
  }
}

/** Rows in the format that the name of the file ends with. */
export function writeRows<T extends object>(
  cli: Cli,
  path: string,
  rows: readonly T[],
  columns: readonly Column<T>[],
): void {
  const file = openNew(cli.folder, path)
  try {
    for (const line of linesOf(rows, columns, extname(path).toLowerCase())) writeSync(file, `${line}\n`)
  } finally {
    closeSync(file)
  }
  const { length } = rows
  cli.report(counted(length, cli.say`Wrote 1 row to ${path}.`, cli.say`Wrote ${length} rows to ${path}.`), {
    file: path,
    rows: length,
  })
}

function linesOf<T extends object>(rows: readonly T[], columns: readonly Column<T>[], ending: string): string[] {
  if (ending === '.json') return [jsonText(rows, 2)]
  if (ending === '.jsonl') return rows.map((row) => jsonText(row))
  const format = plainFormat()
  if (ending !== '.csv') return [renderTable(rows, columns, { format, width: undefined }).text]
  const shown = columns.filter(({ detail }) => !detail)
  const titles = shown.map(({ title }) => title)
  return [titles, ...rows.map((row) => shown.map(({ value }) => value(row, format)))].map(csvLine)
}

/**
 * One line of CSV (RFC 4180). Control characters become spaces, because they would steer a terminal or break a line. A text
 * that a spreadsheet would take for a formula gets an apostrophe before it: names come from users, and the person who opens the file
 * is an administrator.
 */
export function csvLine(cells: readonly string[]): string {
  return cells
    .map(printable)
    .map((cell) => csvCell(isFormula(cell) && !/^-?\d+(\.\d+)?$/.test(cell) ? `'${cell}` : cell))
    .join(',')
}

/** Some spreadsheets pass over blanks before a formula, and read full-width signs like plain ones. A lone sign is none. */
function isFormula(text: string): boolean {
  return /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]./.test(text)
}

function csvCell(text: string): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
