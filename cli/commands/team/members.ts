import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { showAll, type ViewFlags, withViewFlags } from '../../output/listing.ts'

export function teamMembers(cli: Cli): Command {
  const command = new Command('members')
    .description('List the members of a team and what their keys have used')
    .argument('<name|id>', 'name or number of the team')
  return withViewFlags(command)
    .addHelpText('after', '\nExample:\n  tollgate team members lab')
    .action(async (nameOrId: string, flags: ViewFlags) => {
      const [{ toolkit, actor }, { teamOf }, { TEAM_MEMBER_COLUMNS }] = await Promise.all([
        cli.open(),
        import('../../teams.ts'),
        import('../../columns/team.ts'),
      ])
      const { id } = await teamOf(toolkit, actor, nameOrId)
      await showAll(cli, flags, await toolkit.teams.members(actor, id), {
        columns: TEAM_MEMBER_COLUMNS,
        empty: cli.say`The team has no members.`,
      })
    })
}
