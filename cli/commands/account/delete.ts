import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { CommandError, usageError } from '../../errors.ts'

export function accountDelete(cli: Cli): Command {
  return new Command('delete')
    .description('Delete your own account: API keys and sessions end, and there is no way back')
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', '\nExamples:\n  tollgate account delete --yes')
    .action(async ({ yes }: { yes?: true }) => {
      const { toolkit, actor } = await cli.open()
      const { id, username } = await toolkit.accounts.get(actor, actor.id)
      if (!yes) await ask(username)
      await toolkit.profile.delete(actor)
      cli.report(cli.say`Deleted user ${id}, ${username}.`, { id, username })
    })

  /** Asks for the username, because "y" is too easy to type by mistake. */
  async function ask(username: string): Promise<void> {
    if (!cli.interactive) throw usageError(cli.say`there is no terminal to ask on: confirm with --yes`)
    const prompts = await cli.prompts()
    const typed = await prompts.input({ message: cli.say`Type ${username} to delete your account for ever` })
    if (typed.trim() !== username) throw new CommandError('DECLINED', cli.say`nothing was changed`)
  }
}
