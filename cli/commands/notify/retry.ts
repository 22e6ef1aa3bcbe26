import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { positiveInt } from '../../input/arguments.ts'

export function notifyRetry(cli: Cli): Command {
  return new Command('retry')
    .description('Let a delivery that failed or waits be made now')
    .argument('<id>', 'number of the delivery', positiveInt)
    .addHelpText('after', '\nExample:\n  tollgate notify retry 1')
    .action(async (id: number) => {
      const { toolkit, actor } = await cli.open()
      const delivery = await toolkit.notices.retry(actor, id)
      cli.report(cli.say`Delivery ${id} is due now: the gateway makes it within seconds.`, delivery)
    })
}
