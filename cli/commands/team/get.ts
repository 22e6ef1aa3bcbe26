import { Command } from 'commander'
import type { Cli } from '../../cli.ts'

export function teamGet(cli: Cli): Command {
  return new Command('get')
    .description('Show one team')
    .argument('<name|id>', 'name or number of the team')
    .addHelpText('after', '\nExample:\n  tollgate team get lab')
    .action(async (nameOrId: string) => {
      const [{ toolkit, actor }, { teamOf }, { TEAM_COLUMNS }] = await Promise.all([
        cli.open(),
        import('../../teams.ts'),
        import('../../columns/team.ts'),
      ])
      await cli.show(await teamOf(toolkit, actor, nameOrId), { columns: TEAM_COLUMNS })
    })
}
