import { Command } from 'commander'
import type { Cli } from '../../../cli.ts'
import { positiveInts } from '../../../input/arguments.ts'
import { type BulkFlags, withBulkFlags } from '../../../run/bulk.ts'

export function tagUnset(cli: Cli): Command {
  const command = new Command('unset')
    .description('Take the tags of channels away')
    .argument('<id...>', 'numbers of the channels', positiveInts)
  return withBulkFlags(command)
    .addHelpText('after', '\nExamples:\n  tollgate channel tag unset 1')
    .action(async (ids: number[], { keepGoing }: BulkFlags) => {
      const [{ toolkit, actor }, { findChannels }] = await Promise.all([cli.open(), import('../find.ts')])
      const found = (await findChannels(cli, toolkit, actor, { ids, keepGoing })).map(({ id }) => id)
      await toolkit.channels.tagChannels(actor, found, null)
      cli.report(cli.say`${found.length} channels have no tag any more.`, { tag: null, ids: found })
    })
}
