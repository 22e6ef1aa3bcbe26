import { Command } from 'commander'
import { pageLimit, positiveInt } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'

interface Options {
  search?: string
  group?: string
  page: number
  limit: number
}

export function userList(cli: Cli): Command {
  return new Command('list')
    .description('List users, newest first')
    .option('--search <text>', 'only those whose name or mail address contains this, or of this number')
    .option('--group <name>', 'only those of this group')
    .option('--page <n>', 'page to show', positiveInt, 1)
    .option('--limit <n>', 'rows of a page', pageLimit, 20)
    .addHelpText('after', '\nExample:\n  tollgate user list --group default')
    .action(async ({ search, limit, ...filter }: Options) => {
      const [{ toolkit, actor }, { USER_COLUMNS }] = await Promise.all([cli.open(), import('../../columns/user.ts')])
      const query = { ...filter, pageSize: limit, ...(search !== undefined && { keyword: search }) }
      await cli.print(await toolkit.accounts.list(actor, query), { columns: USER_COLUMNS, empty: 'No such users.' })
    })
}
