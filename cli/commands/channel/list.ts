import { Command } from 'commander'
import { pageLimit, positiveInt } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'

interface Options {
  search?: string
  group?: string
  model?: string
  status?: string
  tag?: string
  page: number
  limit: number
}

export function channelList(cli: Cli): Command {
  return new Command('list')
    .description('List channels, highest priority first')
    .option('--search <text>', 'only names that contain this, or the channel of this number')
    .option('--group <name>', 'only those that serve this group')
    .option('--model <name>', 'only those that serve this model')
    .option('--status <word>', 'enabled, disabled or auto-disabled')
    .option('--tag <text>', 'only those with this tag')
    .option('--page <n>', 'page to show', positiveInt, 1)
    .option('--limit <n>', 'rows of a page', pageLimit, 20)
    .addHelpText('after', '\nExample:\n  tollgate channel list --model gpt-4o --status enabled')
    .action(async ({ search, status, limit, ...filter }: Options) => {
      const [{ toolkit, actor }, { CHANNEL_STATUS }, { CHANNEL_COLUMNS }, { numberOf }] = await Promise.all([
        cli.open(),
        import('../../../core/channels/channel.ts'),
        import('../../columns/channel.ts'),
        import('../../words.ts'),
      ])
      const query = {
        ...filter,
        pageSize: limit,
        ...(search !== undefined && { keyword: search }),
        ...(status !== undefined && { status: numberOf(CHANNEL_STATUS, '--status', status) }),
      }
      await cli.print(await toolkit.channels.list(actor, query), {
        columns: CHANNEL_COLUMNS,
        empty: 'No channels. Add one with: tollgate channel add --name <text> --type <type> --key <key>',
      })
    })
}
