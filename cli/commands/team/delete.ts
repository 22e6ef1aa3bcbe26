import { Command } from 'commander'
import type { Cli } from '../../cli.ts'

export function teamDelete(cli: Cli): Command {
  return new Command('delete')
    .description('Delete a team: its balance goes to its owner, its keys stop, log rows stay')
    .argument('<name|id>', 'name or number of the team')
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  tollgate team delete lab --yes')
    .action(async (nameOrId: string, { yes }: { yes?: true }) => {
      const [{ toolkit, actor }, { teamOf }] = await Promise.all([cli.open(), import('../../teams.ts')])
      const { id, name, owner, quota: balance } = await teamOf(toolkit, actor, nameOrId)
      const { quota } = await cli.format()
      await cli.confirm(
        cli.say`Delete team ${name}? ${owner} gets its balance of ${quota(balance)}, and its keys are deleted.`,
        { yes },
      )
      const team = await toolkit.teams.delete(actor, id)
      cli.report(cli.say`Deleted team ${id}, ${name}.`, team)
    })
}
