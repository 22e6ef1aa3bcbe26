import { Command } from 'commander'
import { CHANNEL_STATUS } from '../../../core/channels/channel.ts'
import { pageLimit, positiveInt, wordOrNumber } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'

interface Options {
  search?: string
  group?: string
  model?: string
  status?: number
  tag?: string
  page: number
  limit: number
}

const { enabled, disabled, autoDisabled } = CHANNEL_STATUS
const status = wordOrNumber({ enabled, disabled, 'auto-disabled': autoDisabled })

export function channelList(cli: Cli): Command {
  return new Command('list')
    .description('List channels, highest priority first')
    .option('--search <text>', 'only names that contain this, or the channel of this number')
    .option('--group <name>', 'only those that serve this group')
    .option('--model <name>', 'only those that serve this model')
    .option('--status <word>', 'enabled, disabled or auto-disabled', status)
    .option('--tag <text>', 'only those with this tag')
    .option('--page <n>', 'page to show', positiveInt, 1)
    .option('--limit <n>', 'rows of a page', pageLimit, 20)
    .addHelpText('after', '\nExample:\n  tollgate channel list --model gpt-4o --status enabled')
    .action(async ({ search, limit, ...filter }: Options) => {
      const [{ toolkit, actor }, { CHANNEL_COLUMNS }] = await Promise.all([
        cli.open(),
        import('../../columns/channel.ts'),
      ])
      const query = { ...filter, pageSize: limit, ...(search !== undefined && { keyword: search }) }
      await cli.print(await toolkit.channels.list(actor, query), {
        columns: CHANNEL_COLUMNS,
        empty: 'No channels. Add one with: tollgate channel add --name <text> --type <type> --key <key>',
      })
    })
}
