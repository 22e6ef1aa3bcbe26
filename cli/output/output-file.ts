import { closeSync, openSync, writeFileSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { errorCode } from '../../core/error-parts.ts'
import { fileErrorText } from '../../core/messages/file-errors.ts'
import type { Cli } from '../cli.ts'
import { CommandError, usageError } from '../errors.ts'
import { type Column, titleOf } from './column.ts'
import { plainFormat } from './format.ts'
import { jsonText } from './json.ts'
import { openNewFile, unwritableFile } from './new-file.ts'
import { sanitizeName } from './sanitize.ts'
import { renderTable } from './table.ts'

/** Throws a usage error for the path `-`, which users hardly mean as a file name. */
export function refuseStdout(path: string, option = '--output'): void {
  if (path === '-') throw usageError({ id: 'list.doesNotAccept', values: { option } })
}

/** Creates a file that only its owner can read. Throws FILE_EXISTS, FILE_UNWRITABLE, and a usage error for `-`. */
export function openNew(
  { folder, language }: Pick<Cli, 'folder' | 'language'>,
  path: string,
  option = '--output',
): number {
  refuseStdout(path, option)
  try {
    return openSync(resolve(folder, path), 'wx', 0o600)
  } catch (cause) {
    if (errorCode(cause) === 'EEXIST') {
      throw new CommandError('FILE_EXISTS', { id: 'list.alreadyExists', values: { path, option } }, { cause })
    }
    const message = fileErrorText(cause, language)
    throw new CommandError('FILE_UNWRITABLE', { id: 'list.cannotWriteTheFile', values: { option, message } }, { cause })
  }
}

/** Writes a new file, or with `force` replaces one. Removes incomplete files. Throws FILE_EXISTS, FILE_UNWRITABLE. */
export function writeWhole(
  cli: Pick<Cli, 'folder' | 't' | 'language'>,
  { path, force }: { path: string; force: boolean },
  text: string,
): void {
  const file = openNewFile(cli, path, { force })
  try {
    writeFileSync(file.descriptor, text)
    closeSync(file.descriptor)
  } catch (cause) {
    file.discard()
    throw unwritableFile(cli, path, cause)
  }
  file.keep()
}

/** Writes rows in the format of the file extension. */
export function writeRows<T extends object>(
  cli: Cli,
  { path, force }: { path: string; force: boolean },
  rows: readonly T[],
  columns: readonly Column<T>[],
): void {
  refuseStdout(path)
  const lines = linesOf(rows, columns, extname(path).toLowerCase())
  writeWhole(cli, { path, force }, `${lines.join('\n')}\n`)
  const { length } = rows
  cli.report(cli.t('log.wroteRows', { count: length, name: path }), { file: path, rows: length })
}

function linesOf<T extends object>(rows: readonly T[], columns: readonly Column<T>[], ending: string): string[] {
  if (ending === '.json') return [jsonText(rows, 2)]
  if (ending === '.jsonl') return rows.map((row) => jsonText(row))
  const format = plainFormat()
  if (ending !== '.csv') return [renderTable(rows, columns, { format, width: undefined }).text]
  const visibleColumns = columns.filter(({ detail }) => !detail)
  const titles = visibleColumns.map((column) => titleOf(column, format))
  return [titles, ...rows.map((row) => visibleColumns.map(({ value }) => value(row, format)))].map(csvLine)
}

/**
 * Formats one line of CSV (RFC 4180). Replaces control characters by spaces. Prefixes formulas with an apostrophe,
 * because users choose names, and administrators open the file in a spreadsheet.
 */
export function csvLine(cells: readonly string[]): string {
  return cells
    .map(sanitizeName)
    .map((cell) => csvCell(isFormula(cell) && !/^-?\d+(\.\d+)?$/.test(cell) ? `'${cell}` : cell))
    .join(',')
}

/** Some spreadsheets ignore leading blanks and accept full-width operators. An operator alone is not a formula. */
function isFormula(text: string): boolean {
  return /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]./.test(text)
}

function csvCell(text: string): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
