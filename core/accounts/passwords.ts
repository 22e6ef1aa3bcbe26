/** A native module: only who deals with passwords loads it. */
const argon2 = () => import('@node-rs/argon2')

/** argon2id with the library's defaults (OWASP's recommendation: 19 MiB, two passes). Runs off the main thread. */
export const hashPassword = (password: string): Promise<string> => argon2().then(({ hash }) => hash(password))

/**
 * Whether a password fits a stored hash: argon2id, or bcrypt from an imported deployment. `outdated` asks the caller to
 * store a new hash. A missing hash costs as much time as a wrong password, so that names cannot be probed.
 */
export async function checkPassword(
  stored: string | undefined,
  password: string,
): Promise<{ fits: boolean; outdated: boolean }> {
  if (stored?.startsWith('$2')) {
    const { compare } = await import('bcryptjs')
    return { fits: await compare(password, stored), outdated: true }
  }
  const { hash, verify } = await argon2()
  if (!stored) {
    await hash(password)
    return { fits: false, outdated: false }
  }
  return { fits: await verify(stored, password), outdated: false }
}
