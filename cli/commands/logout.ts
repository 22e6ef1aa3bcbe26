import { Command } from 'commander'
import type { Cli } from '../cli.ts'

export function logout(cli: Cli): Command {
  return new Command('logout')
    .argument('[profile]', 'profile name (default: the one in use)')
    .addHelpText('after', '\nExamples:\n  tollgate logout work')
    .action(async (given: string | undefined) => {
      const { CommandError } = await import('../errors.ts')
      const { readProfiles } = await import('../profiles.ts')
      const { forget } = await import('./profile/forget.ts')
      const name = given ?? (await readProfiles({ env: cli.env, texts: cli })).current
      if (name === undefined)
        throw new CommandError('PROFILE_NOT_FOUND', cli.say`not signed in to any server: run tollgate login <url>`)
      await forget(cli, [name])
      cli.report(
        cli.say`Removed profile ${name}. Its access token is still valid: revoke it with tollgate account access-token --new.`,
        {
          removed: [name],
        },
      )
    })
}
