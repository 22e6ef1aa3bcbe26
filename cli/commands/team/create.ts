import { Command } from 'commander'
import type { Cli } from '../../cli.ts'

export function teamCreate(cli: Cli): Command {
  return new Command('create')
    .description('Create a team that you own')
    .argument('<name>', 'up to 30 letters, digits, blanks, ".", "_" and "-"')
    .addHelpText('after', '\nExample:\n  tollgate team create design')
    .action(async (name: string) => {
      const { toolkit, actor } = await cli.open()
      const team = await toolkit.teams.create(actor, { name })
      cli.report(cli.say`Created team ${team.id}, ${team.name}.`, team)
    })
}
