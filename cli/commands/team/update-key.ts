import { Command, Option } from 'commander'
import { TOKEN_STATUS } from '../../../core/tokens/token.ts'
import type { Cli } from '../../cli.ts'
import { positiveInt } from '../../input/arguments.ts'

export function teamUpdateKey(cli: Cli): Command {
  return new Command('update-key')
    .description('Enable or disable a key of a team')
    .argument('<name|id>', 'name or number of the team')
    .argument('<id>', 'number of the key', positiveInt)
    .addOption(
      new Option('--status <status>', 'whether it works').choices(['enabled', 'disabled']).makeOptionMandatory(),
    )
    .addHelpText('after', '\nExample:\n  tollgate team update-key lab 2 --status disabled')
    .action(async (nameOrId: string, id: number, { status }: { status: 'enabled' | 'disabled' }) => {
      const [{ toolkit, actor }, { teamOf }, { shownToken }] = await Promise.all([
        cli.open(),
        import('../../teams.ts'),
        import('../../columns/token.ts'),
      ])
      const team = await teamOf(toolkit, actor, nameOrId)
      const key = await toolkit.teams.keys.setStatus(actor, team.id, id, TOKEN_STATUS[status])
      cli.report(cli.say`Key ${id}, ${key.name}, is ${cli.text(status)}.`, shownToken(key))
    })
}
