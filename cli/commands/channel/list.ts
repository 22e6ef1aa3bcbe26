import { Command, Option } from 'commander'
import { parseChannelType } from '../../../core/channels/types/types.ts'
import type { Cli } from '../../cli.ts'
import { unknownChannelType } from '../../input/channel-type-suggestion.ts'
import { type ListFlags, showList, withListFlags } from '../../output/listing.ts'

interface Options extends ListFlags {
  search?: string
  group?: string
  model?: string
  status?: string
  tag?: string
  type?: string
  order: 'priority' | 'id'
}

export function channelList(cli: Cli): Command {
  const command = new Command('list')
    .description('List channels; keys are never shown')
    .option('--search <text>', 'only names that contain this, or the channel of this number')
    .option('--group <name>', 'only those that serve this group')
    .option('--model <name>', 'only those that serve a model with this in its name')
    .option('--status <word>', 'enabled, disabled or auto-disabled')
    .option('--tag <text>', 'only those with this tag')
    .option('--type <type>', 'only those of this provider, by word or number')
    .addOption(
      new Option('--order <word>', 'highest priority first, or newest (id) first')
        .choices(['priority', 'id'])
        .default('priority'),
    )
  return withListFlags(command)
    .addHelpText(
      'after',
      '\nExamples:\n  tollgate channel list --model gpt-4o --status enabled\n  tollgate channel list --all --columns id,name,used',
    )
    .action(async ({ search, group, model, status, tag, type, order, ...flags }: Options) => {
      const [{ toolkit, actor }, { CHANNEL_STATUS }, { CHANNEL_COLUMNS }, { numberOf }] = await Promise.all([
        cli.open(),
        import('../../../core/channels/channel.ts'),
        import('../../columns/channel.ts'),
        import('../../input/enum-labels.ts'),
      ])
      const query = {
        ...(group !== undefined && { group }),
        ...(model !== undefined && { model }),
        ...(tag !== undefined && { tag }),
        ...(search !== undefined && { keyword: search }),
        ...(type !== undefined && { type: typeNumber(type) }),
        ...(status !== undefined && { status: numberOf(CHANNEL_STATUS, '--status', status) }),
        newestFirst: order === 'id',
      }
      await showList(cli, flags, async (paging) => toolkit.channels.list(actor, { ...query, ...paging }), {
        columns: CHANNEL_COLUMNS,
        empty: cli.say`No channels. Add one with: tollgate channel add --name <text> --type <type> --key <key>`,
      })
    })
}

/** Stored channels may have a retired type number. */
function typeNumber(word: string): number {
  const number = parseChannelType(word)?.type ?? (/^\d{1,9}$/.test(word) ? Number(word) : undefined)
  if (number === undefined) throw unknownChannelType(word)
  return number
}
