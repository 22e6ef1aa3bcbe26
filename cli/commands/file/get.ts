import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { positiveInt } from '../../input/arguments.ts'

export function fileGet(cli: Cli): Command {
  return new Command('get')
    .description('Show one file')
    .argument('<id>', 'number of the file in its list', positiveInt)
    .addHelpText('after', '\nExample:\n  tollgate file get 1')
    .action(async (id: number) => {
      const [{ toolkit, actor }, { FILE_COLUMNS }] = await Promise.all([cli.open(), import('../../columns/batch.ts')])
      await cli.show(await toolkit.batches.getFile(actor, id), { columns: FILE_COLUMNS })
    })
}
