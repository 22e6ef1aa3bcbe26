/** A native module: only who deals with passwords loads it. */
const argon2 = () => import('@node-rs/argon2')
const bcrypt = () => import('bcryptjs')

/** Loads what passwords are hashed with, for a process that must not do it on demand. */
export async function loadHashing(): Promise<void> {
  await Promise.all([argon2(), bcrypt()])
}

/** What hashing a password takes: memory in KiB, and how often all of it is gone through. */
export interface HashCost {
  memoryCost: number
  timeCost: number
}

export interface Passwords {
  /** argon2id, off the main thread. */
  hash(password: string): Promise<string>
  /**
   * Whether a password fits a stored hash: argon2id, or bcrypt from an imported deployment. `outdated` asks the caller to
   * store a new hash. A missing hash costs as much time as a wrong password, so that names cannot be probed.
   */
  check(stored: string | undefined, password: string): Promise<{ fits: boolean; outdated: boolean }>
}

/** `cost`: the library's defaults when absent (OWASP's recommendation: 19 MiB, two passes). */
export function createPasswords(cost?: HashCost): Passwords {
  const hash = async (password: string): Promise<string> => (await argon2()).hash(password, cost)
  return {
    hash,
    async check(stored, password) {
      if (stored?.startsWith('$2')) {
        const { compare } = await bcrypt()
        return { fits: await compare(password, stored), outdated: true }
      }
      if (!stored) {
        await hash(password)
        return { fits: false, outdated: false }
      }
      const { verify } = await argon2()
      return { fits: await verify(stored, password), outdated: false }
    },
  }
}
