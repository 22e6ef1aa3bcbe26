import { openAnonymous } from '../../anonymous.ts'
import { usageError } from '../../errors.ts'
import { REVOKE_KEYS, revokesKeys } from '../../input/passwords.ts'
import { plainVerb } from '../../run/verbs.ts'

interface Options {
  token?: string
  tokenStdin?: true
  revokeKeys?: true
}

export const accountResetPassword = plainVerb({
  name: 'reset-password',
  description: 'account.sendAPasswordResetLink',
  examples: [
    'tollgate account reset-password ann@example.com',
    'tollgate account reset-password ann@example.com --token 0123456789abcdef0123456789abcdef',
  ],
  syntax: (command) =>
    command
      .argument('[address]', 'account.emailAddressOfTheAccountDefault')
      .option('--token <text>', 'account.tokenOrWholeLink')
      .option('--token-stdin', 'account.readTheTokenFromStdin')
      .option(...REVOKE_KEYS),
  async run(cli, address: string | undefined, { token, tokenStdin, revokeKeys }: Options) {
    if (token !== undefined && tokenStdin) throw usageError(cli.t('account.passEitherTokenOrTokenStdin'))
    const email = address ?? (await (await cli.prompts('<address>')).input({ message: cli.t('account.emailAddress') }))
    const tokenText = tokenStdin ? await cli.readInput() : token
    const { passwordReset } = await openAnonymous(cli)
    if (tokenText === undefined) {
      await passwordReset.sendLink(email, { language: cli.language })
      return cli.report(cli.t('account.sentALink', { email }), { email })
    }
    const revokes = await revokesKeys(cli, { revokeKeys, isGiven: tokenStdin === true })
    const { password } = await passwordReset.reset({
      email,
      token: tokenIn(tokenText),
      ...(revokes && { revoke_keys: true }),
    })
    if (cli.json) return cli.writeJson({ email, password })
    cli.note(cli.t('account.newPasswordTitle'))
    cli.write(password)
  },
})

/** Returns the token in a text. The text is the token itself, or the whole link from the mail. */
function tokenIn(text: string): string {
  const trimmed = text.trim()
  return URL.canParse(trimmed) ? (new URL(trimmed).searchParams.get('token') ?? trimmed) : trimmed
}
