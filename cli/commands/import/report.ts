import type { ImportReport } from '../../../core/import/imports.ts'
import type { Cli } from '../../cli.ts'
import type { Column } from '../../output/column.ts'
import type { Format } from '../../output/format.ts'
import type { TextId } from '../../texts.ts'

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
  listRows(cli, 'moving.skippedRowsTitle', skipped, ({ table, id, what }) => `${table} ${id}: ${what}`)
  listRows(cli, 'moving.changedValuesTitle', changed, ({ table, id, what }) => `${table} ${id}: ${what}`)
  listRows(cli, 'moving.changedIDsTitle', remapped, ({ table, from, to }) => `${table} ${from} → ${to}`)
  listRows(
    cli,
    'moving.optionsNotImportedTitle',
    options.filter(({ outcome }) => outcome !== 'imported' && outcome !== 'same'),
    ({ key, outcome, what }) => `${key}: ${[outcome, what].filter(Boolean).join(', ')}`,
  )
  listRows(cli, 'moving.modelsWithChangedPricesTitle', prices, ({ model, source, target }) => {
    return `${model}: ${source} → ${target}`
  })
  listRows(cli, 'moving.unsupportedColumnsTitle', unknownColumns, ({ table, columns }) => {
    return `${table}: ${columns.join(', ')}`
  })
  if (unknownTables.length > 0)
    cli.write(cli.t('moving.tablesNotImported', { unknownTables: unknownTables.join(', ') }))
  for (const warning of warnings) cli.note(warning)
}

/** Prints the first 20 rows under a title, which contains the number of rows. Prints nothing for an empty list. */
export function listRows<T>(cli: Cli, title: TextId, rows: readonly T[], lineOf: (row: T) => string): void {
  if (rows.length === 0) return
  cli.write(cli.t(title, { count: rows.length }))
  for (const row of rows.slice(0, SHOWN_MAX)) cli.write(`  ${lineOf(row)}`)
  if (rows.length > SHOWN_MAX) cli.write(cli.t('moving.andMore', { count: rows.length - SHOWN_MAX }))
}
