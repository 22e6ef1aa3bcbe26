import { Command } from 'commander'
import type { Reconciled } from '../../../core/ledger/reconcile/reconcile.ts'
import { decimal, positiveInts } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'
import type { Column } from '../../column.ts'
import { EXIT, usageError } from '../../errors.ts'
import { readRecords } from '../../record-file.ts'

const COLUMNS: readonly Column<Reconciled>[] = [
  { title: 'day', value: ({ day }) => day },
  { title: 'model', value: ({ model }) => model },
  { title: 'input', value: ({ provider_input }) => String(provider_input), align: 'right' },
  { title: 'input logged', value: ({ logged_input }) => String(logged_input), align: 'right' },
  { title: 'output', value: ({ provider_output }) => String(provider_output), align: 'right' },
  { title: 'output logged', value: ({ logged_output }) => String(logged_output), align: 'right' },
  { title: 'difference', value: ({ difference }) => String(difference), align: 'right' },
  { title: '%', value: ({ percent }) => percent.toFixed(2), align: 'right' },
]

interface Options {
  channel?: number[]
  tolerance: number
}

export function ledgerReconcile(cli: Cli): Command {
  return new Command('reconcile')
    .description("Compare a provider's usage export with the log by model and day; exit code 1 when they differ")
    .argument('<usage.csv>', 'the export; - is stdin')
    .option('--channel <id...>', 'only what these channels relayed', positiveInts)
    .option('--tolerance <percent>', 'differences up to this are none', decimal({ min: 0, max: 100 }), 1)
    .addHelpText(
      'after',
      `
Known are the usage export of Anthropic's console, the activity export of OpenAI's dashboard, and the cost table of Google Cloud
Billing. Days are UTC. Versions of a model, such as gpt-4o-2024-08-06, are compared together. Tokens that the provider counted and
the log has not are a positive difference.

Example:
  tollgate ledger reconcile usage.csv --channel 3`,
    )
    .action(async (path: string, { channel = [], tolerance }: Options) => {
      const [{ ExportError, readExport }, { reconcile }] = await Promise.all([
        import('../../../core/ledger/reconcile/exports.ts'),
        import('../../../core/ledger/reconcile/reconcile.ts'),
      ])
      const { toolkit } = await cli.openLocal()
      const records = (await readRecords(cli, path, 'csv')).map((record) => {
        if ('problem' in record) throw usageError(cli.say`line ${record.line}: ${record.problem}`)
        return record
      })
      const rows = await (async () => {
        try {
          return await reconcile(toolkit.db.reader, readExport(records).usages, { channelIds: channel })
        } catch (error) {
          throw error instanceof ExportError ? usageError(error.message) : error
        }
      })()
      const differing = rows.filter(({ percent }) => percent > tolerance)
      if (differing.length > 0) cli.exitCode = EXIT.failed
      await cli.print(rows, { columns: COLUMNS, empty: cli.say`The export says nothing of tokens.` })
      if (rows.length > 0)
        cli.note(cli.say`${differing.length} of ${rows.length} rows differ by more than ${tolerance} %.`)
    })
}
