import { InvalidArgumentError } from 'commander'
import { pastTime } from '../../input/arguments.ts'
import { type CommandBuilder, plainVerb, YES, type YesFlag } from '../../run/verbs.ts'

interface Options extends YesFlag {
  logs: 'all' | 'none' | number
  sinceLast?: true
  dryRun?: true
}

export function importFrom(product: 'new-api' | 'one-api'): CommandBuilder {
  return plainVerb({
    name: product,
    description: `Import users, API keys, channels, options, codes, orders, logs and tasks of a ${product} gateway`,
    help: `Prints a report, then asks for confirmation. Rows that were imported before are not imported again; balances get the difference. To
continue an interrupted import, run the same command.

Examples:
  tollgate import ${product} ./one-api.db --dry-run
  tollgate import ${product} 'mysql://root:secret@127.0.0.1:3306/oneapi' --logs 90d --yes`,
    syntax: (command) =>
      command
        .argument('<source>', 'SQLite file, mysql://…, postgres://…, or an SQL dump of one; opened read-only')
        .option(
          '--logs <which>',
          'logs to import: all, none, or since a time such as 30d or 2026-01-31',
          logsArgument,
          'all',
        )
        .option('--since-last', 'only what is new since the last import of this source')
        .option('--dry-run', 'print the report, and change nothing')
        .option(...YES),
    async run(cli, source: string, options: Options) {
      const { runImport } = await import('./run.ts')
      await runImport(cli, { product, address: source, ...options })
    },
  })
}

function logsArgument(text: string): Options['logs'] {
  if (text === 'all' || text === 'none') return text
  try {
    return pastTime(text)
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error
    throw new InvalidArgumentError(`Expected all, none, or a time: ${error.message}`)
  }
}
