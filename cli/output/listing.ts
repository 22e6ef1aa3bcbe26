import type { Page, Paging } from '../../core/input.ts'
import type { Cli } from '../cli.ts'
import type { Command } from '../command.ts'
import { usageError } from '../errors.ts'
import { pageLimit, positiveInt } from '../input/arguments.ts'
import { nearest } from '../input/nearest.ts'
import { withRetry } from '../run/retry.ts'
import { type Column, columnNameOf, titleOf } from './column.ts'
import { plainFormat } from './format.ts'

/*
 * Paging, columns, sorting and output of all lists.
 */
export interface ListFlags {
  page: number
  limit: number
  all?: true
  columns?: string
  sort?: string
  output?: string
  force?: true
}

/** Flags of lists without pages. */
export type ViewFlags = Pick<ListFlags, 'columns' | 'sort' | 'output' | 'force'>

/** Page size for --all: the API's maximum, so that there are few calls, whose rate servers limit. */
const PAGE_OF_ALL = 1000
/** Maximum number of rows for --all. It ends a list that a bug in a server makes endless. */
const ROWS_MAX = 1_000_000

type Named = Pick<Column<never>, 'name'>

export function withListFlags(command: Command, columns: readonly Named[]): Command {
  return withViewFlags(
    command
      .option('--page <n>', 'list.pageNumber', positiveInt, 1)
      .option('--limit <n>', 'list.rowsPerPage', pageLimit, 20)
      .option('--all', 'list.allPages'),
    columns,
  )
}

/** Adds the flags of lists without pages. `columns` are all columns that the list can have, for completion. */
export function withViewFlags(command: Command, columns: readonly Named[]): Command {
  command.columnNames = [...new Set(columns.map(({ name }) => name))]
  return command
    .option('--columns <list>', 'list.columnsToShow')
    .option('--sort <column>', 'list.sortTheShownRows')
    .option('--output <file>', 'list.writeToANewFile')
    .option('--force', 'list.replaceAnExistingFile')
}

/** Shows one page or all pages of a list, by the flags. `empty` is the hint for an empty list. */
export async function showList<T extends object>(
  cli: Cli,
  flags: ListFlags,
  fetch: (paging: Paging & { page: number; pageSize: number }) => Promise<Page<T>>,
  { columns, empty }: { columns: readonly Column<T>[]; empty: string },
): Promise<void> {
  rejectUselessColumns(cli, flags)
  const { page, limit } = flags
  const list = flags.all ? await allPages(cli, fetch) : await fetch({ page, pageSize: limit })
  await showRows(
    cli,
    flags,
    { ...list, items: sortBy(cli, flags.sort, { columns, rows: list.items }) },
    { columns, empty },
  )
}

/** Shows rows that are already loaded. */
export async function showAll<T extends object>(
  cli: Cli,
  flags: ViewFlags,
  rows: readonly T[],
  view: { columns: readonly Column<T>[]; empty: string },
): Promise<void> {
  rejectUselessColumns(cli, flags)
  await showRows(cli, flags, sortBy(cli, flags.sort, { columns: view.columns, rows }), view)
}

async function showRows<T extends object>(
  cli: Cli,
  flags: Pick<ListFlags, 'columns' | 'output' | 'force'>,
  list: Page<T> | readonly T[],
  { columns, empty }: { columns: readonly Column<T>[]; empty: string },
): Promise<void> {
  const rows = 'items' in list ? list.items : list
  const chosen = flags.columns === undefined ? columns : chooseColumns(cli, flags.columns, { columns, rows })
  if (flags.output !== undefined) {
    const { writeRows } = await import('./output-file.ts')
    return writeRows(cli, { path: flags.output, force: flags.force === true }, rows, chosen)
  }
  await cli.print(list, { columns: chosen, empty })
}

/** Returns a page of rows that are all loaded. */
export function pageOf<T>(rows: readonly T[], { page, pageSize }: { page: number; pageSize: number }): Page<T> {
  const items = rows.slice((page - 1) * pageSize, page * pageSize)
  return { items, total: rows.length, page, page_size: pageSize }
}

/** Reads all pages, up to a million rows. Removes duplicates, because rows can move to the next page meanwhile. */
async function allPages<T extends object>(
  cli: Cli,
  fetch: (paging: { page: number; pageSize: number }) => Promise<Page<T>>,
): Promise<Page<T>> {
  const rows = new Map<unknown, T>()
  const firstPage = await withRetry(cli, { repeatable: true }, () => fetch({ page: 1, pageSize: PAGE_OF_ALL }))
  let { total } = firstPage
  const progress = cli.progress({ title: cli.t('redemption.reading'), total })
  try {
    for (let answer = firstPage, page = 1; ; page += 1) {
      for (const row of answer.items) rows.set('id' in row ? row.id : row, row)
      progress.at(rows.size)
      if (answer.items.length === 0 || page * answer.page_size >= Math.min(answer.total, ROWS_MAX)) break
      answer = await withRetry(cli, { repeatable: true }, () => fetch({ page: page + 1, pageSize: PAGE_OF_ALL }))
      total = answer.total
    }
  } finally {
    progress.end()
  }
  const isCut = total > ROWS_MAX
  if (isCut) cli.note(cli.t('list.onlyTheFirstRows', { rows: rows.size, total }))
  return { items: [...rows.values()], total: isCut ? total : rows.size, page: 1, page_size: rows.size }
}

/** Throws a usage error for --columns with JSON output, which always has all fields. */
export function rejectUselessColumns(cli: Cli, { columns, output }: Pick<ListFlags, 'columns' | 'output'>): void {
  const isJson = output === undefined ? cli.json : /\.jsonl?$/i.test(output)
  if (columns !== undefined && isJson) throw usageError(cli.t('general.columnsWorksOnlyForTables'))
}

/** Syntax of a field name. */
const FIELD = /^[a-z]\w*$/i

/**
 * Finds a column by English or translated title, or by field name. If there are no rows, the fields are unknown: any
 * valid field name is then accepted, unless it is similar to a title.
 */
function findColumn<T extends object>(cli: Cli, name: string, { columns, rows }: View<T>): Column<T> | undefined {
  const word = columnNameOf(name)
  const column = columns.find((each) => each.name === word || columnNameOf(titleOf(each, cli)) === word)
  if (column) {
    const { detail: _, ...listed } = column
    return listed
  }
  const isField =
    rows.length > 0
      ? rows.some((row) => Object.hasOwn(row, name))
      : FIELD.test(name) &&
        !nearest(
          name,
          columns.map((each) => each.name),
        )
  if (!isField) return undefined
  const field = (row: T) => (row as Record<string, unknown>)[name]
  return {
    name,
    value: (row) => cellTextOf(field(row)),
    sort: (row) => {
      const value = field(row)
      return typeof value === 'number' ? value : cellTextOf(value)
    },
  }
}

interface View<T> {
  columns: readonly Column<T>[]
  rows: readonly T[]
}

/** Returns the columns in the order of `list`. Narrow terminals hide the last of these columns first. */
function chooseColumns<T extends object>(cli: Cli, list: string, view: View<T>): Column<T>[] {
  return list.split(',').map((each, at) => {
    const name = each.trim()
    const column = findColumn(cli, name, view)
    if (column) return { ...column, rank: at + 1 }
    throw usageError(cli.t('list.columnsUnknownColumnChooseFrom', { name, columns: namesOf(cli, view) }))
  })
}

function sortBy<T extends object>(cli: Cli, order: string | undefined, view: View<T>): T[] {
  if (order === undefined) return [...view.rows]
  const [name, sign] = order.startsWith('-') ? [order.slice(1), -1] : [order, 1]
  const column = findColumn(cli, name, view)
  if (!column) throw usageError(cli.t('list.sortUnknownColumnChooseFrom', { name, columns: namesOf(cli, view) }))
  return sortRows(view.rows, column, sign)
}

/** Sorts rows by a column. Equal rows stay in their order. `sign`: 1 for ascending, -1 for descending. */
export function sortRows<T>(rows: readonly T[], column: Column<T>, sign: number): T[] {
  const format = plainFormat()
  const keyed = rows.map((row) => ({ row, key: column.sort?.(row) ?? column.value(row, format) }))
  return keyed.sort((a, b) => sign * compare(a.key, b.key)).map(({ row }) => row)
}

const namesOf = (cli: Cli, { columns }: Pick<View<never>, 'columns'>): string =>
  columns.map((column) => columnNameOf(titleOf(column, cli))).join(', ')

const collator = new Intl.Collator('en', { numeric: true })

/** Compares two numbers by value. If a key is not a number, such as a dash, compares both keys as texts. */
function compare(a: number | string, b: number | string): number {
  const [x, y] = [numberIn(a), numberIn(b)]
  if (x !== undefined && y !== undefined) return x === y ? 0 : x - y
  return collator.compare(String(a), String(b))
}

function numberIn(key: number | string): number | undefined {
  if (typeof key === 'number') return key
  return /^-?\d+(\.\d+)?$/.test(key) ? Number(key) : undefined
}

function cellTextOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
