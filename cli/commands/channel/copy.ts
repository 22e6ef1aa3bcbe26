import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { positiveInt } from '../../input/arguments.ts'

export function channelCopy(cli: Cli): Command {
  return new Command('copy')
    .description('Add the same account once more: key, models, settings and all')
    .argument('<id>', 'number of the channel', positiveInt)
    .option('--name <text>', 'what you will know the copy by (default: the name and "copy")')
    .addHelpText('after', '\nExamples:\n  tollgate channel copy 1 --name second')
    .action(async (id: number, { name }: { name?: string }) => {
      const { toolkit, actor } = await cli.open()
      const copy = await toolkit.channels.copy(actor, id, name)
      cli.report(cli.say`Added channel ${copy.id}, ${copy.name}, a copy of channel ${id}.`, copy)
    })
}
