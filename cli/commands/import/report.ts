import type { ImportReport } from '../../../core/import/imports.ts'
import type { Cli } from '../../cli.ts'
import type { Column } from '../../output/column.ts'
import type { Format } from '../../output/format.ts'

type TableRow = ImportReport['tables'][number]

const number = (value: number) => String(value)
const TABLES: readonly Column<TableRow>[] = [
  { name: 'table', value: ({ table }) => table },
  { name: 'rows', value: ({ rows }) => number(rows), align: 'right' },
  { name: 'imported', value: ({ imported }) => number(imported), align: 'right' },
  { name: 'known', value: ({ known }) => number(known), align: 'right' },
  { name: 'updated', value: ({ updated }) => number(updated), align: 'right' },
  { name: 'skipped', value: ({ skipped }) => number(skipped), align: 'right' },
  { name: 'sums', value: ({ sums }, format) => sumsText(sums, format) },
]
const SHOWN_MAX = 20

function sumsText(sums: TableRow['sums'], { t }: Format): string {
  const parts = Object.entries(sums).map(([column, { source, target }]) =>
    source === target ? `${column} ${source} ${t('ui.equal')}` : `${column} ${source} ≠ ${target}`,
  )
  return parts.join(', ') || '-'
}

/** Prints the report of an import or dry run: tables, then differences. With --json, prints everything as JSON. */
export async function printReport(cli: Cli, report: ImportReport): Promise<void> {
  if (cli.json) return cli.writeJson(report)
  await cli.print(report.tables, { columns: TABLES, empty: '' })
  const { skipped, changed, remapped, prices, options, unknownColumns, unknownTables, warnings } = report
  listRows(
    cli,
    cli.t('moving.skippedRowsTitle', { count: skipped.length }),
    skipped,
    ({ table, id, what }) => `${table} ${id}: ${what}`,
  )
  listRows(
    cli,
    cli.t('moving.changedValuesTitle', { count: changed.length }),
    changed,
    ({ table, id, what }) => `${table} ${id}: ${what}`,
  )
  listRows(
    cli,
    cli.t('moving.changedIDsTitle', { count: remapped.length }),
    remapped,
    ({ table, from, to }) => `${table} ${from} → ${to}`,
  )
  const notable = options.filter(({ outcome }) => outcome !== 'imported' && outcome !== 'same')
  listRows(
    cli,
    cli.t('moving.optionsNotImportedTitle', { count: notable.length }),
    notable,
    ({ key, outcome, what }) => `${key}: ${[outcome, what].filter(Boolean).join(', ')}`,
  )
  listRows(
    cli,
    cli.t('moving.modelsWithChangedPricesTitle', { count: prices.length }),
    prices,
    ({ model, source, target }) => `${model}: ${source} → ${target}`,
  )
  listRows(
    cli,
    cli.t('moving.unsupportedColumnsTitle', { count: unknownColumns.length }),
    unknownColumns,
    ({ table, columns }) => `${table}: ${columns.join(', ')}`,
  )
  if (unknownTables.length > 0)
    cli.write(cli.t('moving.tablesNotImported', { unknownTables: unknownTables.join(', ') }))
  for (const warning of warnings) cli.note(warning)
}

/** Prints the first rows of a list under its title. Prints nothing for an empty list. */
export function listRows<T>(cli: Cli, title: string, rows: readonly T[], line: (row: T) => string): void {
  if (rows.length === 0) return
  cli.write(title)
  for (const row of rows.slice(0, SHOWN_MAX)) cli.write(`  ${line(row)}`)
  if (rows.length > SHOWN_MAX) cli.write(cli.t('moving.andMore', { count: rows.length - SHOWN_MAX }))
}
