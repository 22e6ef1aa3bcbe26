import { Command } from 'commander'
import type { Cli } from '../../cli.ts'

export function teamJoin(cli: Cli): Command {
  return new Command('join')
    .description('Join a team by an invite code')
    .argument('<code>', 'the invite code, such as team-…')
    .addHelpText('after', '\nExample:\n  tollgate team join team-abc')
    .action(async (code: string) => {
      const { toolkit, actor } = await cli.open()
      const team = await toolkit.teams.get(actor, await toolkit.teams.join(actor, code))
      cli.report(cli.say`You are a member of team ${team.id}, ${team.name}.`, team)
    })
}
