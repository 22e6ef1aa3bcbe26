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
  { title: 'day', value: ({ day }) => day },
  { title: 'model', value: ({ model }) => model },
]
const TOKENS: readonly Column<Reconciled>[] = [
  { title: 'input', value: ({ provider_input }) => String(provider_input), align: 'right' },
  { title: 'input logged', value: ({ logged_input }) => String(logged_input), align: 'right' },
  { title: 'output', value: ({ provider_output }) => String(provider_output), align: 'right' },
  { title: 'output logged', value: ({ logged_output }) => String(logged_output), align: 'right' },
  { title: 'difference', value: ({ difference }) => String(difference), align: 'right' },
  { title: '%', value: ({ percent }) => percent?.toFixed(2) ?? '', align: 'right' },
]
const COSTS: readonly Column<Reconciled>[] = [
  { title: 'cost ($)', value: ({ provider_cost }) => provider_cost?.toFixed(4) ?? '', align: 'right' },
  { title: 'charged ($)', value: ({ charged }) => charged.toFixed(4), align: 'right' },
]

interface Options {
  channel?: number[]
  tolerance: number
  timeZone?: string
}

export const ledgerReconcile = plainVerb({
  name: 'reconcile',
  description: "Compare a provider's usage export with the log by model and day; exit code 1 if they differ",
  help: `Supports exports of usage and of costs of Anthropic's console, those of activity and of costs of OpenAI's dashboard, and the cost
table of Google Cloud Billing. Days are UTC; those of Google are in the zone America/Los_Angeles. Versions of a model, such as
gpt-4o-2024-08-06, are compared together. Tokens that the provider counted and the log lacks are a positive difference. Costs are
shown beside the charges of users; they may differ.

Example:
  tollgate ledger reconcile usage.csv --channel 3`,
  syntax: (command) =>
    command
      .argument('<usage.csv>', 'export file; - for stdin')
      .option('--channel <id...>', 'only requests of these channels', positiveInts)
      .option('--tolerance <percent>', 'ignore differences up to this percentage', decimal({ min: 0, max: 100 }), 1)
      .option('--time-zone <name>', "time zone of the export's days, if not the usual one"),
  async run(cli, path: string, { channel = [], tolerance, timeZone }: Options) {
    const [{ ExportError, readExport }, { reconcile }, { isTimeZone }] = await Promise.all([
      import('../../../core/ledger/reconcile/exports.ts'),
      import('../../../core/ledger/reconcile/reconcile.ts'),
      import('../../../core/ledger/reconcile/days.ts'),
    ])
    if (timeZone !== undefined && !isTimeZone(timeZone)) {
      throw usageError(cli.say`unknown time zone ${timeZone}: use a name such as UTC or Europe/Berlin`)
    }
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
    await cli.print(rows, { columns, empty: cli.say`The export contains no models.` })
    if (first && first.percent !== null)
      cli.note(cli.say`${differing.length} of ${rows.length} rows differ by more than ${tolerance} %.`)
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
          cli.say`line ${line}: ${cli.say`has ${cells.length} cells, but the first line has ${titles.length}`}`,
        )
      }
      isEmpty = false
      yield { line, fields: Object.fromEntries(titles.map((title, at) => [title, cells[at]])) }
    }
  } catch (error) {
    if (error instanceof CsvError) throw usageError(cli.say`line ${error.line}: unclosed quote, or text after a quote`)
    throw error
  }
  if (isEmpty) throw usageError(cli.say`${path === '-' ? 'stdin' : path} is empty`)
}
