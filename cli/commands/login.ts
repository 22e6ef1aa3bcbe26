import type { Cli } from '../cli.ts'
import { Command } from '../command.ts'
import { usageError } from '../errors.ts'
import { PASSWORD_STDIN } from '../input/passwords.ts'

export interface LoginOptions {
  name?: string
  username?: string
  passwordStdin?: true
  token?: string
  tokenStdin?: true
}

export function login(cli: Cli): Command {
  return new Command('login', cli)
    .argument('<url>', 'server.addressOfTheServer')
    .option('--username <text>', 'server.usernameOrEmailAddressDefault')
    .option(...PASSWORD_STDIN)
    .option('--token <text>', 'server.existingAccessToken')
    .option('--token-stdin', 'server.readTheAccessTokenFromStdin')
    .option('--name <text>', 'server.profileNameDefault')
    .example(
      'tollgate login https://gateway.example',
      'printf \'%s\' "$TOKEN" | tollgate login https://gateway.example --token-stdin --name work',
    )
    .action(async (url: string, options: LoginOptions) => {
      const givenFlags = [
        (options.passwordStdin && '--password-stdin') || (options.username !== undefined && '--username'),
        options.token !== undefined && '--token',
        options.tokenStdin && '--token-stdin',
      ].filter(Boolean)
      if (givenFlags.length > 1) throw usageError(cli.t('server.passOnlyOneOf', { ways: givenFlags.join(', ') }))
      const { signIn } = await import('./login/sign-in.ts')
      await signIn(cli, url, options)
    })
}
