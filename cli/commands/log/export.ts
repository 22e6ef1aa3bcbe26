import { Command, Option } from 'commander'
import type { Cli } from '../../cli.ts'
import { type LogFilterOptions, toLogFilter, withLogFilter } from '../../log-filter.ts'

type Options = LogFilterOptions & { output?: string; format?: 'csv' | 'jsonl' }

export function logExport(cli: Cli): Command {
  return withLogFilter(new Command('export'))
    .description('Write all log rows, newest first, however many they are; Ctrl-C leaves whole rows behind')
    .option('--output <file>', 'write to this new file, .csv or .jsonl, that only you can read (default: stdout)')
    .addOption(
      new Option('--format <format>', 'what to write (default: by the name of the file, else jsonl)').choices([
        'csv',
        'jsonl',
      ]),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  tollgate log export --since 30d --output logs.csv\n  tollgate log export --user ann --format csv',
    )
    .action(async ({ output, format, ...options }: Options) => {
      const filter = await toLogFilter(options)
      const { exportLogs } = await import('./export-rows.ts')
      await exportLogs(cli, filter, { output, format })
    })
}
