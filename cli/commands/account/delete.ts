import type { Cli } from '../../cli.ts'
import { CommandError, usageError } from '../../errors.ts'
import { verb, YES, type YesFlag } from '../../run/verbs.ts'

export const accountDelete = verb({
  name: 'delete',
  description: 'account.deleteYourAccountPermanently',
  examples: ['tollgate account delete --yes'],
  syntax: (command) => command.option(...YES),
  async run({ cli, toolkit, actor }, { yes }: YesFlag) {
    const { id, username } = await toolkit.accounts.get(actor, actor.id)
    if (!yes) await confirmByName(cli, username)
    await toolkit.profile.delete(actor)
    cli.report(cli.t('user.deletedUser', { id, username }), { id, username })
  },
})

/** Asks for the username, because "y" is too easy to type by mistake. */
async function confirmByName(cli: Cli, username: string): Promise<void> {
  if (!cli.interactive) throw usageError(cli.t('general.noTerminalForConfirmation'))
  const prompts = await cli.prompts()
  const typed = await prompts.input({ message: cli.t('account.typeToDeleteYourAccountPermanently', { username }) })
  if (typed.trim() !== username) throw new CommandError('DECLINED', cli.t('general.nothingWasChanged'))
}
