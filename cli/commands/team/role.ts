import { Argument, Command } from 'commander'
import { TEAM_ROLES, type TeamRole } from '../../../core/teams/team.ts'
import type { Cli } from '../../cli.ts'

export function teamRole(cli: Cli): Command {
  return new Command('role')
    .description('Give a member another role; owner transfers the ownership, and the old owner becomes an admin')
    .argument('<name|id>', 'name or number of the team')
    .argument('<member>', 'username, or number')
    .addArgument(new Argument('<role>', 'the new role').choices([...TEAM_ROLES]))
    .addHelpText('after', '\nExample:\n  tollgate team role lab kim admin')
    .action(async (nameOrId: string, name: string, role: TeamRole) => {
      const [{ toolkit, actor }, { teamOf, memberOf }] = await Promise.all([cli.open(), import('../../teams.ts')])
      const team = await teamOf(toolkit, actor, nameOrId)
      const { user_id: userId, username } = await memberOf(toolkit, actor, { team, member: name })
      const members =
        role === 'owner'
          ? await toolkit.teams.setOwner(actor, team.id, userId)
          : await toolkit.teams.setRole(actor, team.id, { userId, role })
      cli.report(cli.say`${username} has the role ${cli.text(role)} in team ${team.name}.`, members)
    })
}
