import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { type ListFlags, showAll, withViewFlags } from '../../output/listing.ts'

interface Options extends Pick<ListFlags, 'columns' | 'sort' | 'output'> {
  search?: string
  group?: string
  model?: string
}

export function channelTags(cli: Cli): Command {
  const command = new Command('tags')
    .description('List tags, with what all channels of each have together')
    .option('--search <text>', 'only tags of channels whose name contains this')
    .option('--group <name>', 'only tags of channels that serve this group')
    .option('--model <text>', 'only tags of channels that serve a model with this in its name')
  return withViewFlags(command)
    .addHelpText('after', '\nExamples:\n  tollgate channel tags')
    .action(async ({ search = '', group = '', model = '', ...flags }: Options) => {
      const [{ toolkit, actor }, { TAG_COLUMNS, tagsOf }] = await Promise.all([
        cli.open(),
        import('../../columns/channel-tag.ts'),
      ])
      const channels = await toolkit.channels.search(actor, { keyword: search, group, model, byTag: true })
      await showAll(cli, flags, tagsOf(channels), {
        columns: TAG_COLUMNS,
        empty: cli.say`No tags. Give one with: tollgate channel tag set <tag> <id…>`,
      })
    })
}
