import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { showAll, type ViewFlags, withViewFlags } from '../../output/listing.ts'

export function teamInvites(cli: Cli): Command {
  const command = new Command('invites')
    .description('List invites that can be used')
    .argument('<name|id>', 'name or number of the team')
  return withViewFlags(command)
    .addHelpText('after', '\nExample:\n  tollgate team invites lab')
    .action(async (nameOrId: string, flags: ViewFlags) => {
      const [{ toolkit, actor }, { teamOf }, { TEAM_INVITE_COLUMNS }] = await Promise.all([
        cli.open(),
        import('../../teams.ts'),
        import('../../columns/team.ts'),
      ])
      const { id } = await teamOf(toolkit, actor, nameOrId)
      await showAll(cli, flags, await toolkit.teams.invites(actor, id), {
        columns: TEAM_INVITE_COLUMNS,
        empty: cli.say`No open invites. Create one: tollgate team invite <name|id>`,
      })
    })
}
