import { Command } from 'commander'
import type { Cli } from '../../cli.ts'

export function teamRemove(cli: Cli): Command {
  return new Command('remove')
    .description('Remove a member; the keys of the team that the member created stop at once')
    .argument('<name|id>', 'name or number of the team')
    .argument('<member>', 'username, or number')
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  tollgate team remove lab kim --yes')
    .action(async (nameOrId: string, name: string, { yes }: { yes?: true }) => {
      const [{ toolkit, actor }, { teamOf, memberOf }] = await Promise.all([cli.open(), import('../../teams.ts')])
      const team = await teamOf(toolkit, actor, nameOrId)
      const { user_id, username } = await memberOf(toolkit, actor, { team, member: name })
      await cli.confirm(
        cli.say`Remove ${username} from team ${team.name}? The member's keys of the team are deleted.`,
        {
          yes,
        },
      )
      await toolkit.teams.removeMember(actor, team.id, user_id)
      cli.report(cli.say`Removed ${username} from team ${team.name}.`, { team_id: team.id, user_id })
    })
}
