import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { positiveInt } from '../../input/arguments.ts'

export function teamRevokeInvite(cli: Cli): Command {
  return new Command('revoke-invite')
    .description('Revoke an invite that was not used')
    .argument('<name|id>', 'name or number of the team')
    .argument('<id>', 'number of the invite', positiveInt)
    .addHelpText('after', '\nExample:\n  tollgate team revoke-invite lab 2')
    .action(async (nameOrId: string, id: number) => {
      const [{ toolkit, actor }, { teamOf }] = await Promise.all([cli.open(), import('../../teams.ts')])
      const team = await teamOf(toolkit, actor, nameOrId)
      await toolkit.teams.revokeInvite(actor, team.id, id)
      cli.report(cli.say`Revoked invite ${id}.`, { revoked: id })
    })
}
