import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { positiveInts } from '../../input/arguments.ts'
import { type BulkFlags, withBulkFlags } from '../../run/bulk.ts'

export function channelDisable(cli: Cli): Command {
  const command = new Command('disable')
    .description('Choose channels no more until they are enabled again')
    .argument('<id...>', 'numbers of the channels', positiveInts)
  return withBulkFlags(command)
    .addHelpText('after', '\nExamples:\n  tollgate channel disable 1')
    .action(async (ids: number[], { keepGoing }: BulkFlags) => {
      const [{ toolkit, actor }, { CHANNEL_STATUS }, { findChannels }] = await Promise.all([
        cli.open(),
        import('../../../core/channels/channel.ts'),
        import('./find.ts'),
      ])
      const found = await findChannels(cli, toolkit, actor, { ids, keepGoing })
      const there = found.map(({ id }) => id)
      await toolkit.channels.setStatusOfMany(actor, there, CHANNEL_STATUS.disabled)
      const read = () => findChannels(cli, toolkit, actor, { ids: there })
      const changed =
        (await cli.readBack(read)) ?? found.map((channel) => ({ ...channel, status: CHANNEL_STATUS.disabled }))
      if (cli.json) return cli.writeJson(ids.length === 1 ? changed[0] : changed)
      for (const { id, name } of changed) cli.note(cli.say`Channel ${id}, ${name}, is disabled.`)
    })
}
