import { Command } from 'commander'
import type { Cli } from '../cli.ts'
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
  return new Command('login')
    .argument('<url>', 'address of the server, such as https://gateway.example')
    .option('--username <text>', 'username or email address (default: prompt)')
    .option(...PASSWORD_STDIN)
    .option('--token <text>', 'existing access token, instead of a password')
    .option('--token-stdin', 'read the access token from stdin, which keeps it out of the process list')
    .option('--name <text>', 'profile name (default: the host of the address)')
    .addHelpText(
      'after',
      '\nExamples:\n  tollgate login https://gateway.example\n  printf \'%s\' "$TOKEN" | tollgate login https://gateway.example --token-stdin --name work',
    )
    .action(async (url: string, options: LoginOptions) => {
      const ways = [
        (options.passwordStdin && '--password-stdin') || (options.username !== undefined && '--username'),
        options.token !== undefined && '--token',
        options.tokenStdin && '--token-stdin',
      ].filter(Boolean)
      if (ways.length > 1) throw usageError(cli.say`pass only one of ${ways.join(', ')}`)
      const { signIn } = await import('./login/sign-in.ts')
      await signIn(cli, url, options)
    })
}
