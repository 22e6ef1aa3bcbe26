import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { positiveInt } from '../../input/arguments.ts'

export function batchGet(cli: Cli): Command {
  return new Command('get')
    .description('Show one batch')
    .argument('<id>', 'number of the batch in its list', positiveInt)
    .addHelpText('after', '\nExample:\n  tollgate batch get 1')
    .action(async (id: number) => {
      const [{ toolkit, actor }, { BATCH_COLUMNS }] = await Promise.all([cli.open(), import('../../columns/batch.ts')])
      await cli.show(await toolkit.batches.getBatch(actor, id), { columns: BATCH_COLUMNS })
    })
}
