import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { EXIT } from '../../errors.ts'
import { positiveInt } from '../../input/arguments.ts'

export function notifyTest(cli: Cli): Command {
  return new Command('test')
    .description('Send a test notice to a target at once')
    .argument('<id>', 'number of the target', positiveInt)
    .addHelpText('after', '\nExample:\n  tollgate notify test 1')
    .action(async (id: number) => {
      const { toolkit, actor } = await cli.open()
      const delivery = await toolkit.notices.test(actor, id)
      const { state, status, error } = delivery
      if (state === 'delivered') return cli.report(cli.say`The test notice is delivered.`, delivery)
      cli.exitCode = EXIT.failed
      cli.report(cli.say`The test notice is not delivered: ${status > 0 ? `${status} ` : ''}${error}`, delivery)
    })
}
