import { Command } from 'commander'
import { CHANNEL_TYPES } from '../../../core/channels/types/types.ts'
import type { Cli } from '../../cli.ts'
import { type ListFlags, showAll, withViewFlags } from '../../output/listing.ts'

type Options = { hidden?: true } & Pick<ListFlags, 'columns' | 'sort' | 'output'>

export function channelTypes(cli: Cli): Command {
  const command = new Command('types')
    .description('List the kinds of upstreams, with the form of their keys')
    .option('--hidden', 'also those that new channels are not meant for')
  return withViewFlags(command)
    .addHelpText('after', '\nExamples:\n  tollgate channel types --columns word,key,models')
    .action(async ({ hidden, ...flags }: Options) => {
      const { shownType, TYPE_COLUMNS } = await import('../../columns/channel-type.ts')
      const types = CHANNEL_TYPES.filter((type) => hidden || !type.hidden)
        .map((type) => shownType(type, cli.language))
        .sort((a, b) => a.name.localeCompare(b.name, 'en'))
      await showAll(cli, flags, types, { columns: TYPE_COLUMNS, empty: '' })
    })
}
