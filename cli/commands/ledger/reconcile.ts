import type { ExportRecord } from '../../../core/ledger/reconcile/exports.ts'
import type { Reconciled } from '../../../core/ledger/reconcile/reconcile.ts'
import { OPTIONS } from '../../../core/options/registry.ts'
import type { Cli } from '../../cli.ts'
import { EXIT, usageError } from '../../errors.ts'
import { decimal, positiveInts } from '../../input/arguments.ts'
import { streamSource } from '../../input/input-file.ts'
import type { Column } from '../../output/column.ts'
import { CsvError } from '../../output/csv.ts'
import { streamCsv } from '../../output/csv-stream.ts'
import { plainVerb } from '../../run/verbs.ts'

const NAMES: readonly Column<Reconciled>[] = [
  { name: 'day', value: ({ day }) => day },
  { name: 'model', value: ({ model }) => model },
]
const TOKENS: readonly Column<Reconciled>[] = [
  { name: 'input', value: ({ provider_input }) => String(provider_input), align: 'right' },
  { name: 'input-logged', value: ({ logged_input }) => String(logged_input), align: 'right' },
  { name: 'output', value: ({ provider_output }) => String(provider_output), align: 'right' },
  { name: 'output-logged', value: ({ logged_output }) => String(logged_output), align: 'right' },
  { name: 'difference', value: ({ difference }) => String(difference), align: 'right' },
  { name: '%', value: ({ percent }) => percent?.toFixed(2) ?? '', align: 'right' },
]
const COSTS: readonly Column<Reconciled>[] = [
  { name: 'cost-($)', value: ({ provider_cost }) => provider_cost?.toFixed(4) ?? '', align: 'right' },
  { name: 'charged-($)', value: ({ charged }) => charged.toFixed(4), align: 'right' },
]

interface Options {
  channel?: number[]
  tolerance: number
  timeZone?: string
}

export const ledgerReconcile = plainVerb({
  name: 'reconcile',
  description: 'ledger.compareAProviderUsageExport',
  examples: ['tollgate ledger reconcile usage.csv --channel 3'],
  syntax: (command) =>
    command
      .note('ledger.supportsExportsOfUsage')
      .argument('<usage.csv>', 'ledger.exportFile')
      .option('--channel <id...>', 'ledger.onlyRequestsOfTheseChannels', positiveInts)
      .option('--tolerance <percent>', 'ledger.ignoreDifferencesUpToThisPercentage', decimal({ min: 0, max: 100 }), 1)
      .option('--time-zone <name>', 'ledger.timeZoneOfTheExportDays'),
  async run(cli, path: string, { channel = [], tolerance, timeZone }: Options) {
    const [{ ExportError, readExport }, { reconcile }, { isTimeZone }] = await Promise.all([
      import('../../../core/ledger/reconcile/exports.ts'),
      import('../../../core/ledger/reconcile/reconcile.ts'),
      import('../../../core/limits/calendar.ts'),
    ])
    if (timeZone !== undefined && !isTimeZone(timeZone)) throw usageError(cli.t('ledger.unknownTimeZone', { timeZone }))
    const { toolkit } = await cli.openLocal()
    const rows = await (async () => {
      try {
        const usage = await readExport(recordsOf(cli, path), { timeZone })
        const quotaPerUnit = toolkit.options.get(OPTIONS.QuotaPerUnit)
        return await reconcile(toolkit.db.reader, usage.usages, { ...usage, channelIds: channel, quotaPerUnit })
      } catch (error) {
        throw error instanceof ExportError ? usageError(error.message) : error
      }
    })()
    const differing = rows.filter(({ percent }) => percent !== null && percent > tolerance)
    if (differing.length > 0) cli.exitCode = EXIT.failed
    const [first] = rows
    const columns = [
      ...NAMES,
      ...(first?.percent === null ? [] : TOKENS),
      ...(first?.provider_cost === null ? [] : COSTS),
    ]
    await cli.print(rows, { columns, empty: cli.t('ledger.theExportContainsNoModels') })
    if (first && first.percent !== null)
      cli.note(cli.t('ledger.ofRowsDifferByMoreThan', { count: differing.length, total: rows.length, tolerance }))
  },
})

/** Yields each row of the CSV file as a record by title. Throws a usage error for invalid files. */
async function* recordsOf(cli: Cli, path: string): AsyncGenerator<ExportRecord> {
  let titles: readonly string[] | undefined
  let isEmpty = true
  try {
    for await (const { line, cells } of streamCsv(streamSource(cli, path))) {
      if (titles === undefined) {
        titles = cells
        continue
      }
      if (cells.length !== titles.length) {
        throw usageError(
          cli.t('channel.line', {
            line,
            message: cli.t('channel.hasCells', { count: cells.length, expected: titles.length }),
          }),
        )
      }
      isEmpty = false
      yield { line, fields: Object.fromEntries(titles.map((title, at) => [title, cells[at]])) }
    }
  } catch (error) {
    if (error instanceof CsvError) throw usageError(cli.t('channel.lineUnclosedQuoteOrText', { line: error.line }))
    throw error
  }
  if (isEmpty) throw usageError(cli.t('channel.isEmpty', { file: path === '-' ? 'stdin' : path }))
}
