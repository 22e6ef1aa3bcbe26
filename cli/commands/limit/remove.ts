import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { positiveInt } from '../../input/arguments.ts'

export function limitRemove(cli: Cli): Command {
  return new Command('remove')
    .description('Remove a limit')
    .argument('<id>', 'number of the limit', positiveInt)
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  tollgate limit remove 1 --yes')
    .action(async (id: number, { yes }: { yes?: boolean }) => {
      const { toolkit, actor } = await cli.open()
      await cli.confirm(cli.say`Remove limit ${id}?`, { yes })
      const removed = await toolkit.limits.remove(actor, id)
      cli.report(cli.say`Limit ${id} is removed.`, removed)
    })
}
