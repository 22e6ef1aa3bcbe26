import { GatewayError } from '../../core/errors.ts'
import type { Cli } from '../cli.ts'
import { usageError } from '../errors.ts'

export interface PasswordFlags {
  password?: string
  passwordStdin?: true
}

export const PASSWORD_STDIN = ['--password-stdin', 'user.readThePasswordFromStdin'] as const

export const REVOKE_KEYS = ['--revoke-keys', 'account.alsoDeleteAllYourTokensApi'] as const

/** Returns the password from the flag or from stdin, else undefined. Throws a usage error if both are requested. */
export async function givenPassword(cli: Cli, { password, passwordStdin }: PasswordFlags): Promise<string | undefined> {
  if (password !== undefined && passwordStdin) throw usageError(cli.t('user.passEitherPasswordOrPasswordStdin'))
  return passwordStdin ? cli.readInput() : password
}

/** Returns a new password from flags or two prompts. Throws PASSWORDS_DIFFER, and a usage error without a terminal. */
export async function newPassword(cli: Cli, flags: PasswordFlags): Promise<string> {
  const flagPassword = await givenPassword(cli, flags)
  if (flagPassword !== undefined) return flagPassword
  const prompts = await cli.prompts('--password-stdin')
  const first = await prompts.password({ message: cli.t('user.newPassword'), mask: true })
  const second = await prompts.password({ message: cli.t('user.repeatThePassword'), mask: true })
  if (first !== second) throw new GatewayError('PASSWORDS_DIFFER')
  return first
}

/** Returns whether to delete the API keys, too. Without the flag, asks, but only if the user typed the password. */
export async function revokesKeys(
  cli: Pick<Cli, 'interactive' | 'prompts' | 't'>,
  { revokeKeys = false, isGiven }: { revokeKeys?: boolean | undefined; isGiven: boolean },
): Promise<boolean> {
  if (revokeKeys || isGiven || !cli.interactive) return revokeKeys
  const prompts = await cli.prompts()
  return prompts.confirm({ message: cli.t('account.alsoDeleteYourTokensApiKeys'), default: false })
}
