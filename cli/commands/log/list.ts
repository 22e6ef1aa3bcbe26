import { Command } from 'commander'
import { pageLimit, positiveInt } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'
import { type LogFilterOptions, toLogFilter, withLogFilter } from '../../log-filter.ts'

export function logList(cli: Cli): Command {
  return withLogFilter(new Command('list'))
    .description('List log rows, newest first')
    .option('--page <n>', 'page to show', positiveInt, 1)
    .option('--limit <n>', 'rows of a page', pageLimit, 20)
    .addHelpText('after', '\nExample:\n  tollgate log list --since 1h --type consumption')
    .action(async ({ page, limit, ...options }: LogFilterOptions & { page: number; limit: number }) => {
      const filter = await toLogFilter(options)
      const [{ toolkit, actor }, { LOG_COLUMNS }] = await Promise.all([cli.open(), import('../../columns/log.ts')])
      await cli.print(await toolkit.logs.list(actor, { ...filter, page, pageSize: limit }), {
        columns: LOG_COLUMNS,
        empty: 'No log rows.',
      })
    })
}
