import type { User } from '../core/accounts/user.ts'
import type { Config } from '../core/config.ts'
import { randomAlphanumerics } from '../core/secrets.ts'
import type { Toolkit } from '../core/toolkit.ts'
import type { Cli } from './cli.ts'

const PASSWORD_LENGTH = 16

export const generatePassword = (): string => randomAlphanumerics(PASSWORD_LENGTH)

/**
 * Creates a root user after an import without a root user, and prints a note. If there is neither ROOT_PASSWORD nor a
 * terminal, only prints a note, because a generated password must not be stored in a log.
 */
export async function rootAfterImport(
  cli: Pick<Cli, 'interactive' | 'note' | 't'>,
  toolkit: Pick<Toolkit, 'accounts'>,
  config: Pick<Config, 'rootPassword'>,
): Promise<void> {
  if (await toolkit.accounts.findRoot()) return
  if (config.rootPassword === undefined && !cli.interactive) {
    cli.note(cli.t('moving.theSourceHasNoRootUser'))
    return
  }
  const { root, created, password } = await firstStart(toolkit, config)
  if (!created) return
  cli.note(
    password === undefined
      ? cli.t('moving.theSourceHasNoRootUserCreated', { username: root.username })
      : cli.t('moving.theSourceHasNoRootUserCreatedWithThePassword', { username: root.username, password }),
  )
}

/**
 * Returns the root user. On the first start, creates this user with ROOT_PASSWORD or a generated password. `password`
 * is the generated password, which must be shown only once.
 */
export async function firstStart(
  { accounts }: Pick<Toolkit, 'accounts'>,
  { rootPassword }: Pick<Config, 'rootPassword'>,
): Promise<{ root: User; created: boolean; password?: string }> {
  const existing = await accounts.findRoot()
  if (existing) return { root: existing, created: false }
  const password = rootPassword ?? generatePassword()
  const newRoot = await accounts.createRoot(password)
  if (newRoot) return { root: newRoot, created: true, ...(rootPassword === undefined && { password }) }
  // Another process has created the root user at the same time.
  const root = await accounts.findRoot()
  if (!root) throw new Error('the root user was made and deleted at the same time')
  return { root, created: false }
}
