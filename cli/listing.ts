import type { Command } from 'commander'
import type { Page, Paging } from '../core/input.ts'
import { pageLimit, positiveInt } from './arguments.ts'
import type { Cli } from './cli.ts'
import { usageError } from './errors.ts'
import type { Format } from './format.ts'
import { plainFormat } from './format.ts'
import type { Column } from './table.ts'

/*
 * What all lists have in common: pages, columns, order, and where the rows go.
 */
export interface ListFlags {
  page: number
  limit: number
  all?: true
  columns?: string
  sort?: string
  output?: string
}

/** Of lists that have no pages. */
export type ViewFlags = Pick<ListFlags, 'columns' | 'sort' | 'output'>

/** As many as a page may have: a server far away counts calls. */
const PAGE_OF_ALL = 1000
/** Nobody reads more, and a list that never ends is a mistake of the other side. */
const ROWS_MAX = 1_000_000

export function withListFlags(command: Command): Command {
  return withViewFlags(
    command
      .option('--page <n>', 'page to show', positiveInt, 1)
      .option('--limit <n>', 'rows of a page', pageLimit, 20)
      .option('--all', 'all pages'),
  )
}

/** For lists that have no pages. */
export function withViewFlags(command: Command): Command {
  return command
    .option('--columns <list>', 'only these, in this order: titles of columns or names of fields, separated by commas')
    .option('--sort <column>', 'order the rows that are shown by this column; -column for the other way round')
    .option('--output <file>', 'write to this new file: .csv, .json, .jsonl, or a table')
}

/** Shows one page of a list, or all of it, as the flags have it. `empty` is a hint for people. */
export async function showList<T extends object>(
  cli: Cli,
  flags: ListFlags,
  fetch: (paging: Paging & { page: number; pageSize: number }) => Promise<Page<T>>,
  { columns, empty }: { columns: readonly Column<T>[]; empty: string },
): Promise<void> {
  const { page, limit } = flags
  const answer = flags.all ? await allPages(cli, fetch) : await fetch({ page, pageSize: limit })
  await showRows(cli, flags, { ...answer, items: sorted(answer.items, columns, flags.sort) }, { columns, empty })
}

/** The same for rows that come all at once. */
export async function showAll<T extends object>(
  cli: Cli,
  flags: ViewFlags,
  rows: readonly T[],
  view: { columns: readonly Column<T>[]; empty: string },
): Promise<void> {
  await showRows(cli, flags, sorted(rows, view.columns, flags.sort), view)
}

async function showRows<T extends object>(
  cli: Cli,
  flags: Pick<ListFlags, 'columns' | 'output'>,
  answer: Page<T> | readonly T[],
  { columns, empty }: { columns: readonly Column<T>[]; empty: string },
): Promise<void> {
  const rows = 'items' in answer ? answer.items : answer
  const chosen = flags.columns === undefined ? columns : chooseColumns(flags.columns, columns, rows)
  if (flags.output !== undefined) {
    const { writeRows } = await import('./output-file.ts')
    return writeRows(cli, flags.output, rows, chosen)
  }
  await cli.print(answer, { columns: chosen, empty })
}

/** Every row, page by page. Rows that moved to another page meanwhile are there once. */
async function allPages<T extends object>(
  cli: Cli,
  fetch: (paging: { page: number; pageSize: number }) => Promise<Page<T>>,
): Promise<Page<T>> {
  const rows = new Map<unknown, T>()
  const { patiently } = await import('./patience.ts')
  const first = await patiently(cli, { repeatable: true }, () => fetch({ page: 1, pageSize: PAGE_OF_ALL }))
  const progress = cli.progress({ title: cli.text('Reading'), total: first.total })
  try {
    for (let answer = first, page = 1; ; page += 1) {
      for (const row of answer.items) rows.set('id' in row ? row.id : row, row)
      progress.at(rows.size)
      if (answer.items.length === 0 || page * answer.page_size >= Math.min(answer.total, ROWS_MAX)) break
      answer = await patiently(cli, { repeatable: true }, () => fetch({ page: page + 1, pageSize: PAGE_OF_ALL }))
    }
  } finally {
    progress.end()
  }
  return { items: [...rows.values()], total: rows.size, page: 1, page_size: rows.size }
}

/** `quota left` is quota-left on the command line. */
const nameOf = ({ title }: Pick<Column<never>, 'title'>): string => title.replaceAll(' ', '-')

function findColumn<T extends object>(
  name: string,
  columns: readonly Column<T>[],
  rows: readonly T[],
): Column<T> | undefined {
  const column = columns.find((each) => nameOf(each) === name.toLowerCase())
  if (column) {
    const { detail: _, ...shown } = column
    return shown
  }
  if (!rows.some((row) => Object.hasOwn(row, name))) return undefined
  return { title: name, value: (row) => textOf((row as Record<string, unknown>)[name]) }
}

function chooseColumns<T extends object>(list: string, columns: readonly Column<T>[], rows: readonly T[]): Column<T>[] {
  const names = list.split(',').map((name) => name.trim())
  return names.flatMap((name) => {
    const column = findColumn(name, columns, rows)
    // Without rows nobody knows the names of their fields.
    if (column || rows.length === 0) return column ?? []
    throw usageError(`--columns: there is no column named ${name}; there are ${columns.map(nameOf).join(', ')}`)
  })
}

function sorted<T extends object>(rows: readonly T[], columns: readonly Column<T>[], order: string | undefined): T[] {
  if (order === undefined || rows.length === 0) return [...rows]
  const [name, sign] = order.startsWith('-') ? [order.slice(1), -1] : [order, 1]
  const column = findColumn(name, columns, rows)
  if (!column) throw usageError(`--sort: there is no column named ${name}; there are ${columns.map(nameOf).join(', ')}`)
  const format: Format = plainFormat()
  const keyed = rows.map((row) => ({ row, key: column.value(row, format) }))
  return keyed.sort((a, b) => sign * compare(a.key, b.key)).map(({ row }) => row)
}

const collator = new Intl.Collator('en', { numeric: true })

function compare(a: string, b: string): number {
  const [x, y] = [Number.parseFloat(a), Number.parseFloat(b)]
  const bothNumbers = /^-?\d/.test(a) && /^-?\d/.test(b) && !a.includes('T') && !b.includes('T')
  return bothNumbers && x !== y ? x - y : collator.compare(a, b)
}

export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
