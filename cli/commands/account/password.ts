import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'
import { newPassword, PASSWORD_STDIN } from '../../passwords.ts'

export function accountPassword(cli: Cli): Command {
  return new Command('password')
    .description('Set your password; browsers are signed out, your access token stays')
    .option(...PASSWORD_STDIN)
    .addHelpText('after', "\nExamples:\n  printf 'a new secret' | tollgate account password --password-stdin")
    .action(async (flags: { passwordStdin?: true }) => {
      const { toolkit, actor } = await cli.open()
      const password = await newPassword(cli, flags)
      // The API takes an empty one for none.
      if (password === '') throw usageError(cli.say`the password is empty`)
      await toolkit.profile.update(actor, { password })
      cli.report(cli.say`Your password is changed.`, { id: actor.id })
    })
}
