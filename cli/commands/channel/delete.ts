import { Command } from 'commander'
import { positiveInts } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'
import { type SeveralFlags, withSeveralFlags } from '../../several.ts'

export function channelDelete(cli: Cli): Command {
  const command = new Command('delete')
    .description('Delete channels for good; log rows keep their numbers')
    .argument('<id...>', 'numbers of the channels', positiveInts)
    .option('-y, --yes', 'do not ask')
  return withSeveralFlags(command)
    .addHelpText('after', '\nExamples:\n  tollgate channel delete 1 --yes')
    .action(async (ids: number[], { yes, keepGoing }: SeveralFlags & { yes?: true }) => {
      const [{ toolkit, actor }, { findChannels, namesOf }] = await Promise.all([cli.open(), import('./find.ts')])
      const found = await findChannels(cli, toolkit, actor, { ids, keepGoing })
      await cli.confirm(cli.say`Delete ${namesOf(cli, found)}?`, { yes })
      const deleted = found.map(({ id }) => id)
      await toolkit.channels.deleteMany(actor, deleted)
      cli.report(cli.say`Deleted ${namesOf(cli, found)}.`, { deleted })
    })
}
