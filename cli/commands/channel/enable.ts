import { Command } from 'commander'
import { positiveInt } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'

export function channelEnable(cli: Cli): Command {
  return new Command('enable')
    .description('Let a channel be chosen again')
    .argument('<id>', 'number of the channel', positiveInt)
    .addHelpText('after', '\nExample:\n  tollgate channel enable 1')
    .action(async (id: number) => {
      const [{ toolkit, actor }, { CHANNEL_STATUS }] = await Promise.all([
        cli.open(),
        import('../../../core/channels/channel.ts'),
      ])
      const channel = await toolkit.channels.setStatus(actor, id, CHANNEL_STATUS.enabled)
      cli.report(`Channel ${channel.id}, ${channel.name}, is enabled.`, channel)
    })
}
