import { Command } from 'commander'
import { positiveInts } from '../../../arguments.ts'
import type { Cli } from '../../../cli.ts'

export function tagClear(cli: Cli): Command {
  return new Command('clear')
    .description('Take the tags of channels away')
    .argument('<id...>', 'numbers of the channels', positiveInts)
    .option('--keep-going', 'of numbers that do not all exist, take those that do')
    .addHelpText('after', '\nExamples:\n  tollgate channel tag clear 1')
    .action(async (ids: number[], { keepGoing }: { keepGoing?: true }) => {
      const [{ toolkit, actor }, { findChannels }] = await Promise.all([cli.open(), import('../find.ts')])
      const found = (await findChannels(cli, toolkit, actor, { ids, keepGoing })).map(({ id }) => id)
      await toolkit.channels.tagChannels(actor, found, null)
      cli.report(cli.say`${found.length} channels have no tag any more.`, { tag: null, ids: found })
    })
}
