import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { positiveInt } from '../../input/arguments.ts'

export function channelGet(cli: Cli): Command {
  return new Command('get')
    .description('Show one channel; its key is never shown')
    .argument('<id>', 'number of the channel', positiveInt)
    .addHelpText('after', '\nExamples:\n  tollgate channel get 1')
    .action(async (id: number) => {
      const [{ toolkit, actor }, { CHANNEL_COLUMNS }] = await Promise.all([
        cli.open(),
        import('../../columns/channel.ts'),
      ])
      await cli.show(await toolkit.channels.get(actor, id), { columns: CHANNEL_COLUMNS })
    })
}
