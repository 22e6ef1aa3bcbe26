import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'

export function walletRedeem(cli: Cli): Command {
  return new Command('redeem')
    .description('Turn a redemption code into quota on your balance')
    .argument('[code]', 'the code')
    .option('--stdin', 'read the code from stdin, which keeps it out of the process list')
    .addHelpText('after', '\nExamples:\n  tollgate redemption create --quota 500000 | tollgate wallet redeem --stdin')
    .action(async (given: string | undefined, { stdin }: { stdin?: true }) => {
      if (given !== undefined && stdin) throw usageError(cli.say`give either a code or --stdin, not both`)
      const code = stdin ? await cli.readInput() : (given ?? (await asked()))
      const { toolkit, actor } = await cli.open()
      const { quota } = await cli.format()
      const added = await toolkit.redemption.redeem(actor, code.trim())
      const user = await cli.readBack(() => toolkit.profile.get(actor))
      if (!user) return cli.report(cli.say`Added ${quota(added)}.`, { added, quota: null })
      cli.report(cli.say`Added ${quota(added)}; you have ${quota(user.quota)}.`, { added, quota: user.quota })
    })

  async function asked(): Promise<string> {
    if (!cli.interactive) throw usageError(cli.say`give a code, or --stdin`)
    return (await cli.prompts()).input({ message: cli.text('Code') })
  }
}
