import { Command } from 'commander'
import { positiveInt } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'

export function channelDisable(cli: Cli): Command {
  return new Command('disable')
    .description('Choose a channel no more until it is enabled again')
    .argument('<id>', 'number of the channel', positiveInt)
    .addHelpText('after', '\nExample:\n  tollgate channel disable 1')
    .action(async (id: number) => {
      const [{ toolkit, actor }, { CHANNEL_STATUS }] = await Promise.all([
        cli.open(),
        import('../../../core/channels/channel.ts'),
      ])
      const channel = await toolkit.channels.setStatus(actor, id, CHANNEL_STATUS.disabled)
      cli.report(`Channel ${channel.id}, ${channel.name}, is disabled.`, channel)
    })
}
