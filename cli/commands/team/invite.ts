import { Command, Option } from 'commander'
import { GIVEN_ROLES, type GivenRole } from '../../../core/teams/team.ts'
import type { Cli } from '../../cli.ts'
import { positiveInt } from '../../input/arguments.ts'

export function teamInvite(cli: Cli): Command {
  return new Command('invite')
    .description('Create an invite for one user and print its code')
    .argument('<name|id>', 'name or number of the team')
    .addOption(new Option('--role <role>', 'of the user who joins').choices([...GIVEN_ROLES]).default('member'))
    .option('--hours <n>', 'how long it is valid, up to 720', positiveInt, 72)
    .addHelpText('after', '\nExample:\n  tollgate team invite lab --hours 24')
    .action(async (nameOrId: string, { role, hours }: { role: GivenRole; hours: number }) => {
      const [{ toolkit, actor }, { teamOf }] = await Promise.all([cli.open(), import('../../teams.ts')])
      const team = await teamOf(toolkit, actor, nameOrId)
      const invite = await toolkit.teams.invite(actor, team.id, { role, hours })
      if (cli.json) return cli.writeJson(invite)
      cli.note(cli.say`Invite ${invite.id} to team ${team.name}. One user joins with: tollgate team join <code>`)
      cli.write(invite.code ?? '')
    })
}
