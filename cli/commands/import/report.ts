import type { ImportReport } from '../../../core/import/imports.ts'
import type { Cli } from '../../cli.ts'
import type { Column } from '../../output/column.ts'
import type { Format } from '../../output/format.ts'

type TableRow = ImportReport['tables'][number]

const TABLES: readonly Column<TableRow>[] = [
  { name: 'table', value: ({ table }) => table },
  { name: 'rows', value: ({ rows }) => String(rows), align: 'right' },
  { name: 'imported', value: ({ imported }) => String(imported), align: 'right' },
  { name: 'known', value: ({ known }) => String(known), align: 'right' },
  { name: 'updated', value: ({ updated }) => String(updated), align: 'right' },
  { name: 'skipped', value: ({ skipped }) => String(skipped), align: 'right' },
  { name: 'sums', value: ({ sums }, format) => sumsText(sums, format) },
]
const SHOWN_MAX = 20

function sumsText(sums: TableRow['sums'], { t }: Format): string {
  const parts = Object.entries(sums).map(([column, { source, target }]) =>
    source === target ? `${column} ${source} ${t('ui.equal')}` : `${column} ${source} ≠ ${target}`,
  )
  return parts.join(', ') || '-'
}

/** Prints the report of an import or a dry run: first the tables, then the differences. With --json, prints JSON. */
export async function printReport(cli: Cli, report: ImportReport): Promise<void> {
  if (cli.json) return cli.writeJson(report)
  await cli.print(report.tables, { columns: TABLES, empty: '' })
  const { skipped, changed, remapped, prices, options, unknownColumns, unknownTables, warnings } = report
  const { t } = cli
  const changeText = ({ table, id, what }: ImportReport['skipped'][number]) => `${table} ${id}: ${what}`
  listRows(cli, t('moving.skippedRowsTitle', { count: skipped.length }), skipped, changeText)
  listRows(cli, t('moving.changedValuesTitle', { count: changed.length }), changed, changeText)
  listRows(cli, t('moving.changedIDsTitle', { count: remapped.length }), remapped, ({ table, from, to }) => {
    return `${table} ${from} → ${to}`
  })
  const notable = options.filter(({ outcome }) => outcome !== 'imported' && outcome !== 'same')
  listRows(cli, t('moving.optionsNotImportedTitle', { count: notable.length }), notable, ({ key, outcome, what }) => {
    return `${key}: ${[outcome, what].filter(Boolean).join(', ')}`
  })
  listRows(cli, t('moving.modelsWithChangedPricesTitle', { count: prices.length }), prices, (price) => {
    return `${price.model}: ${price.source} → ${price.target}`
  })
  const unsupportedTitle = t('moving.unsupportedColumnsTitle', { count: unknownColumns.length })
  listRows(cli, unsupportedTitle, unknownColumns, ({ table, columns }) => `${table}: ${columns.join(', ')}`)
  if (unknownTables.length > 0)
    cli.write(cli.t('moving.tablesNotImported', { unknownTables: unknownTables.join(', ') }))
  for (const warning of warnings) cli.note(warning)
}

/** Prints the first 20 rows of a list under its title. Prints nothing for an empty list. */
export function listRows<T>(cli: Cli, title: string, rows: readonly T[], lineOf: (row: T) => string): void {
  if (rows.length === 0) return
  cli.write(title)
  for (const row of rows.slice(0, SHOWN_MAX)) cli.write(`  ${lineOf(row)}`)
  if (rows.length > SHOWN_MAX) cli.write(cli.t('moving.andMore', { count: rows.length - SHOWN_MAX }))
}
