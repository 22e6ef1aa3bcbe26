import { Command } from 'commander'
import type { Cli } from '../../cli.ts'

export function userGet(cli: Cli): Command {
  return new Command('get')
    .description('Show one user')
    .argument('<name|id>', 'username, or number')
    .addHelpText('after', '\nExamples:\n  tollgate user get ann\n  tollgate user get 2 --json')
    .action(async (nameOrId: string) => {
      const [{ toolkit, actor }, { userOf }, { USER_COLUMNS }] = await Promise.all([
        cli.open(),
        import('../../users.ts'),
        import('../../columns/user.ts'),
      ])
      await cli.show(await userOf(toolkit, actor, nameOrId), { columns: USER_COLUMNS })
    })
}
