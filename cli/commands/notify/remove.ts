import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { positiveInt } from '../../input/arguments.ts'

export function notifyRemove(cli: Cli): Command {
  return new Command('remove')
    .description('Remove a target of notices with its deliveries')
    .argument('<id>', 'number of the target', positiveInt)
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  tollgate notify remove 1 --yes')
    .action(async (id: number, { yes }: { yes?: boolean }) => {
      const { toolkit, actor } = await cli.open()
      await cli.confirm(cli.say`Remove target ${id} and its deliveries?`, { yes })
      cli.report(cli.say`Target ${id} is removed.`, await toolkit.notices.delete(actor, id))
    })
}
