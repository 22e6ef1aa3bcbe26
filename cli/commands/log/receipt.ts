import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { positiveInt } from '../../input/arguments.ts'

export function logReceipt(cli: Cli): Command {
  return new Command('receipt')
    .description('Compute the price of a log row again; exit code 1 when it is not equal')
    .argument('<id>', 'number of the log row', positiveInt)
    .addHelpText('after', '\nExample:\n  tollgate log receipt 2')
    .action(async (id: number) => {
      const [{ toolkit, actor }, { showReceipt }] = await Promise.all([cli.open(), import('../../receipt-view.ts')])
      await showReceipt(cli, await toolkit.logs.receipt(actor, id))
    })
}
