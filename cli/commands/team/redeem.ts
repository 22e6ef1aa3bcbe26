import { Command } from 'commander'
import type { Cli } from '../../cli.ts'

export function teamRedeem(cli: Cli): Command {
  return new Command('redeem')
    .description('Turn a redemption code into quota of a team')
    .argument('<name|id>', 'name or number of the team')
    .argument('<code>', 'the redemption code')
    .addHelpText('after', '\nExample:\n  tollgate team redeem lab abc')
    .action(async (nameOrId: string, code: string) => {
      const [{ toolkit, actor }, { teamOf }] = await Promise.all([cli.open(), import('../../teams.ts')])
      const { id, name } = await teamOf(toolkit, actor, nameOrId)
      const { quota } = await cli.format()
      const added = await toolkit.teams.redeem(actor, id, code.trim())
      cli.report(cli.say`Team ${name} got ${quota(added)}.`, { added })
    })
}
