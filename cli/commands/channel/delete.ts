import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { positiveInts } from '../../input/arguments.ts'
import { type BulkFlags, withBulkFlags } from '../../run/bulk.ts'

export function channelDelete(cli: Cli): Command {
  const command = new Command('delete')
    .description('Delete channels for good; log rows keep their numbers')
    .argument('<id...>', 'numbers of the channels', positiveInts)
    .option('-y, --yes', 'do not ask')
  return withBulkFlags(command)
    .addHelpText('after', '\nExamples:\n  tollgate channel delete 1 --yes')
    .action(async (ids: number[], { yes, keepGoing }: BulkFlags & { yes?: true }) => {
      const [{ toolkit, actor }, { findChannels, namesOf }] = await Promise.all([cli.open(), import('./find.ts')])
      const found = await findChannels(cli, toolkit, actor, { ids, keepGoing })
      await cli.confirm(cli.say`Delete ${namesOf(cli, found)}?`, { yes })
      const deleted = found.map(({ id }) => id)
      await toolkit.channels.deleteMany(actor, deleted)
      cli.report(cli.say`Deleted ${namesOf(cli, found)}.`, { deleted })
    })
}
