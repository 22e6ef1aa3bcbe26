import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { positiveInt } from '../../input/arguments.ts'

export function logGet(cli: Cli): Command {
  return new Command('get')
    .description('Show one log row, with all that its price was computed from')
    .argument('<id>', 'number of the log row', positiveInt)
    .addHelpText('after', '\nExample:\n  tollgate log get 2')
    .action(async (id: number) => {
      const [{ toolkit, actor }, { LOG_COLUMNS }] = await Promise.all([cli.open(), import('../../columns/log.ts')])
      await cli.show(await toolkit.logs.get(actor, id), { columns: LOG_COLUMNS })
    })
}
