import { Command } from 'commander'
import type { LogStat } from '../../../core/logs/logs.ts'
import type { Cli } from '../../cli.ts'
import { type LogFilterOptions, toLogFilter, withLogFilter } from '../../input/log-filter.ts'
import type { Column } from '../../output/column.ts'

const COLUMNS: readonly Column<LogStat>[] = [
  { title: 'cost', value: (stat, { quota }) => quota(stat.quota) },
  { title: 'requests in the last minute', value: ({ rpm }) => String(rpm) },
  { title: 'tokens in the last minute', value: ({ tpm }) => String(tpm) },
]

export function logStat(cli: Cli): Command {
  return withLogFilter(new Command('stat'))
    .description('Sum up what was relayed, and the present rate')
    .addHelpText('after', '\nExample:\n  tollgate log stat --since 24h')
    .action(async (options: LogFilterOptions) => {
      const filter = await toLogFilter(options)
      const { toolkit, actor } = await cli.open()
      await cli.show(await toolkit.logs.stat(actor, filter), { columns: COLUMNS })
    })
}
