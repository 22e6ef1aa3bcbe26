import { Command } from 'commander'
import { positiveInts } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'

export function channelDelete(cli: Cli): Command {
  return new Command('delete')
    .description('Delete channels for good; log rows keep their numbers')
    .argument('<id...>', 'numbers of the channels', positiveInts)
    .option('--keep-going', 'of numbers that do not all exist, take those that do')
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', '\nExamples:\n  tollgate channel delete 1 --yes')
    .action(async (ids: number[], { yes, keepGoing }: { yes?: true; keepGoing?: true }) => {
      const [{ toolkit, actor }, { findChannels, namesOf }] = await Promise.all([cli.open(), import('./find.ts')])
      const found = await findChannels(cli, toolkit, actor, { ids, keepGoing })
      await cli.confirm(cli.say`Delete ${namesOf(cli, found)}?`, { yes })
      const deleted = found.map(({ id }) => id)
      await toolkit.channels.deleteMany(actor, deleted)
      cli.report(cli.say`Deleted ${namesOf(cli, found)}.`, { deleted })
    })
}
