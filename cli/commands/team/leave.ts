import { Command } from 'commander'
import type { Cli } from '../../cli.ts'

export function teamLeave(cli: Cli): Command {
  return new Command('leave')
    .description('Leave a team; your keys of the team stop at once')
    .argument('<name|id>', 'name or number of the team')
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  tollgate team leave lab --yes')
    .action(async (nameOrId: string, { yes }: { yes?: true }) => {
      const [{ toolkit, actor }, { teamOf }] = await Promise.all([cli.open(), import('../../teams.ts')])
      const team = await teamOf(toolkit, actor, nameOrId)
      await cli.confirm(cli.say`Leave team ${team.name}? Your keys of the team are deleted.`, { yes })
      await toolkit.teams.leave(actor, team.id)
      cli.report(cli.say`You have left team ${team.name}.`, { left: team.id })
    })
}
