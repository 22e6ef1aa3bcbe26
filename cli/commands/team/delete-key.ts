import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { positiveInt } from '../../input/arguments.ts'

export function teamDeleteKey(cli: Cli): Command {
  return new Command('delete-key')
    .description('Delete a key of a team for good')
    .argument('<name|id>', 'name or number of the team')
    .argument('<id>', 'number of the key', positiveInt)
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  tollgate team delete-key lab 2 --yes')
    .action(async (nameOrId: string, id: number, { yes }: { yes?: true }) => {
      const [{ toolkit, actor }, { teamOf }] = await Promise.all([cli.open(), import('../../teams.ts')])
      const team = await teamOf(toolkit, actor, nameOrId)
      const key = await toolkit.teams.keys.get(actor, team.id, id)
      await cli.confirm(cli.say`Delete key ${id}, ${key.name}, of team ${team.name}? There is no way back.`, { yes })
      await toolkit.teams.keys.delete(actor, team.id, id)
      cli.report(cli.say`Deleted key ${id}, ${key.name}.`, { deleted: id })
    })
}
