import { createRequire } from 'node:module'
import { GatewayError } from '../errors.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'

const PASSWORD_LENGTH_MIN = 8

/** The hashing modules are loaded on first use, because most processes handle no passwords. */
const argon2 = () => import('@node-rs/argon2')
const bcrypt = () => import('bcryptjs')

/** Loads the hashing modules. To avoid reading files later, call this function when a process starts. */
export async function loadHashing(): Promise<void> {
  loadCommonPasswords()
  await Promise.all([argon2(), bcrypt()])
}

/** Cost of hashing a password: memory in KiB, and passes over the memory. */
export interface HashCost {
  memoryCost: number
  timeCost: number
}

export type Passwords = ReturnType<typeof createPasswords>

/** `cost` defaults to the library's cost (OWASP's recommendation: 19 MiB, two passes). */
export function createPasswords({ options, cost }: { options: Options; cost?: HashCost | undefined }) {
  const hash = async (password: string): Promise<string> => (await argon2()).hash(password, cost)
  return {
    /**
     * Checks a new password: at least 8 characters, and at most the option PasswordLengthMax. Blanks count, because
     * sign-in compares exactly. Returns the password unchanged. Throws FIELD_LENGTH, PASSWORD_COMMON.
     */
    checkNew(password: string): string {
      const bounds = { min: PASSWORD_LENGTH_MIN, max: options.get(OPTIONS.PasswordLengthMax) }
      const { length } = [...password]
      if (length < bounds.min || length > bounds.max) {
        throw new GatewayError('FIELD_LENGTH', { field: 'password', ...bounds })
      }
      if (isCommonPassword(password)) throw new GatewayError('PASSWORD_COMMON')
      return password
    },
    /** Returns an argon2id hash, computed off the main thread. */
    hash,
    /**
     * Compares a password with a stored hash: argon2id, or bcrypt from an imported deployment. `outdated` means that
     * the caller must store a new hash. A check without a hash takes as long as a check of a wrong password, so that
     * names cannot be probed.
     */
    async check(stored: string | undefined, password: string): Promise<{ matches: boolean; outdated: boolean }> {
      if (stored?.startsWith('$2')) {
        const { compare } = await bcrypt()
        return { matches: await compare(password, stored), outdated: true }
      }
      if (!stored) {
        await hash(password)
        return { matches: false, outdated: false }
      }
      const { verify } = await argon2()
      return { matches: await verify(stored, password), outdated: false }
    },
  }
}

const LISTS = 'zxcvbn/lib/frequency_lists.js'
const COMMON_PASSWORDS = 10_000

let common: ReadonlySet<string> | undefined

/** Returns the common passwords that are long enough to be accepted otherwise. Reads their file on first use. */
function loadCommonPasswords(): ReadonlySet<string> {
  if (common) return common
  // zxcvbn (https://github.com/dropbox/zxcvbn) lists passwords of leaked databases in lower case, the most common
  // first.
  const require = createRequire(import.meta.url)
  const lists: { passwords: string[] } = require(LISTS)
  // Unload the module, because its other lists take 4 MB.
  delete require.cache[require.resolve(LISTS)]
  common = new Set(lists.passwords.filter(({ length }) => length >= PASSWORD_LENGTH_MIN).slice(0, COMMON_PASSWORDS))
  return common
}

/** Returns whether a password is among the 10 000 most common ones of at least eight characters. Ignores case. */
export function isCommonPassword(password: string): boolean {
  return loadCommonPasswords().has(password.normalize('NFKC').trim().toLowerCase())
}
