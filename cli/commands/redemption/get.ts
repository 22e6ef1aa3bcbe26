import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { positiveInt } from '../../input/arguments.ts'

export function redemptionGet(cli: Cli): Command {
  return new Command('get')
    .description('Show one redemption code')
    .argument('<id>', 'number of the code', positiveInt)
    .addHelpText('after', '\nExamples:\n  tollgate redemption get 1')
    .action(async (id: number) => {
      const [{ toolkit, actor }, { REDEMPTION_COLUMNS }] = await Promise.all([
        cli.open(),
        import('../../columns/redemption.ts'),
      ])
      await cli.show(await toolkit.redemption.get(actor, id), { columns: REDEMPTION_COLUMNS })
    })
}
