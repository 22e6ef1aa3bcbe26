import type { Cli } from '../../cli.ts'
import { CommandError, usageError } from '../../errors.ts'
import { verb, YES, type YesFlag } from '../../run/verbs.ts'

export const accountDelete = verb({
  name: 'delete',
  description: 'Delete your account permanently; its API keys and sessions stop working',
  examples: ['tollgate account delete --yes'],
  syntax: (command) => command.option(...YES),
  async run({ cli, toolkit, actor }, { yes }: YesFlag) {
    const { id, username } = await toolkit.accounts.get(actor, actor.id)
    if (!yes) await confirmByName(cli, username)
    await toolkit.profile.delete(actor)
    cli.report(cli.say`Deleted user ${id}, ${username}.`, { id, username })
  },
})

/** Asks for the username, because "y" is too easy to type by mistake. */
async function confirmByName(cli: Cli, username: string): Promise<void> {
  if (!cli.interactive) throw usageError(cli.say`no terminal for confirmation: pass --yes`)
  const prompts = await cli.prompts()
  const typed = await prompts.input({ message: cli.say`Type ${username} to delete your account permanently` })
  if (typed.trim() !== username) throw new CommandError('DECLINED', cli.say`nothing was changed`)
}
