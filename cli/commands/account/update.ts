import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'

export function accountUpdate(cli: Cli): Command {
  return new Command('update')
    .description('Change your names')
    .option('--username <text>', 'new name to sign in with, 1 to 12 characters')
    .option('--display-name <text>', 'name shown to others, up to 20 characters')
    .addHelpText('after', '\nExamples:\n  tollgate account update --display-name Operator')
    .action(async ({ username, displayName }: { username?: string; displayName?: string }) => {
      // The API takes an empty one for none.
      const blank = [username, displayName].some((name) => name?.trim() === '')
      if (blank || (username === undefined && displayName === undefined))
        throw usageError(cli.say`give something to change: --username or --display-name`)
      const { toolkit, actor } = await cli.open()
      const changes = {
        ...(username !== undefined && { username }),
        ...(displayName !== undefined && { display_name: displayName }),
      }
      const read = () => toolkit.accounts.get(actor, actor.id)
      const before = await read()
      await toolkit.profile.update(actor, changes)
      const user = (await cli.readBack(read)) ?? { ...before, ...changes }
      cli.report(cli.say`You are ${user.username}, shown as ${user.display_name}.`, user)
    })
}
