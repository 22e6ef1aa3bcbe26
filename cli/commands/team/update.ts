import { Command, Option } from 'commander'
import { USER_STATUS } from '../../../core/actor.ts'
import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'

interface Changes {
  name?: string
  group?: string
  status?: keyof typeof USER_STATUS
}

export function teamUpdate(cli: Cli): Command {
  return new Command('update')
    .description('Change a team; what is not given stays')
    .argument('<name|id>', 'name or number of the team')
    .option('--name <name>', 'a new name')
    .option('--group <group>', 'group of the team; for administrators')
    .addOption(
      new Option('--status <status>', 'whether its keys work; for administrators').choices(['enabled', 'disabled']),
    )
    .addHelpText('after', '\nExample:\n  tollgate team update lab --group default')
    .action(async (nameOrId: string, { name, group, status }: Changes) => {
      if (name === undefined && group === undefined && status === undefined) {
        throw usageError(cli.say`give what to change: --name, --group or --status`)
      }
      const [{ toolkit, actor }, { teamOf }] = await Promise.all([cli.open(), import('../../teams.ts')])
      const { id } = await teamOf(toolkit, actor, nameOrId)
      const team = await toolkit.teams.update(actor, id, {
        ...(name !== undefined && { name }),
        ...(group !== undefined && { group }),
        ...(status !== undefined && { status: USER_STATUS[status] }),
      })
      cli.report(cli.say`Changed team ${team.id}, ${team.name}.`, team)
    })
}
