import type { User } from '../core/accounts/user.ts'
import type { Config } from '../core/config.ts'
import { randomAlphanumerics } from '../core/secrets.ts'
import type { Toolkit } from '../core/toolkit.ts'

const PASSWORD_LENGTH = 16

export const generatePassword = (): string => randomAlphanumerics(PASSWORD_LENGTH)

/**
 * The root user; on the first start it is made, with the password from ROOT_PASSWORD or a generated one. `password` is
 * the generated one, to be shown once and then known to nobody else.
 */
export async function firstStart(
  { accounts }: Pick<Toolkit, 'accounts'>,
  { rootPassword }: Pick<Config, 'rootPassword'>,
): Promise<{ root: User; created: boolean; password?: string }> {
  const existing = await accounts.findRoot()
  if (existing) return { root: existing, created: false }
  const password = rootPassword ?? generatePassword()
  const made = await accounts.createRoot(password)
  if (made) return { root: made, created: true, ...(rootPassword === undefined && { password }) }
  // Another process that starts at the same time was faster.
  const root = await accounts.findRoot()
  if (!root) throw new Error('the database has users, but no root user')
  return { root, created: false }
}
