import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { EXIT } from '../../errors.ts'
import { positiveInt } from '../../input/arguments.ts'

export function walletReplay(cli: Cli): Command {
  return new Command('replay')
    .description('Judge a notification of the payment gateway again, by the settings of now; for administrators')
    .argument('<id>', 'number of the notification, of wallet callbacks', positiveInt)
    .addHelpText('after', '\nExamples:\n  tollgate wallet replay 1')
    .action(async (id: number) => {
      const { toolkit, actor } = await cli.open()
      const judged = await toolkit.wallet.replay(actor, id)
      if (judged.verdict !== 'credited' && judged.verdict !== 'repeated') cli.exitCode = EXIT.failed
      const why = judged.reason === '' ? '' : ` (${judged.reason})`
      cli.report(cli.say`Notification ${id} of order ${judged.trade_no || '-'}: ${judged.verdict}${why}.`, judged)
    })
}
