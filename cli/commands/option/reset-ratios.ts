import { Command } from 'commander'
import type { Cli } from '../../cli.ts'

export function optionResetRatios(cli: Cli): Command {
  return new Command('reset-ratios')
    .description('Bring the built-in model ratios back; your own ones are lost')
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  tollgate option reset-ratios --yes')
    .action(async ({ yes }: { yes?: true }) => {
      const { toolkit, actor } = await cli.open()
      await cli.confirm(cli.say`Forget your own model ratios?`, { yes })
      await toolkit.options.reset(actor, ['ModelRatio'])
      cli.report(cli.say`The model ratios are the built-in ones again.`, { key: 'ModelRatio' })
    })
}
