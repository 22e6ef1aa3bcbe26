import { createRequire } from 'node:module'

const COUNT = 10_000
/** Shorter ones are rejected anyway: the list is to be of passwords that would be accepted. */
const LENGTH_MIN = 8

let common: ReadonlySet<string> | undefined

/** Loads the list, for a process that must not do it on demand. */
export function loadCommonPasswords(): ReadonlySet<string> {
  if (common) return common
  // In lower case, the most common first: counted by zxcvbn (https://github.com/dropbox/zxcvbn) in leaked databases.
  const lists = createRequire(import.meta.url)('zxcvbn/lib/frequency_lists.js') as { passwords: string[] }
  common = new Set(lists.passwords.filter(({ length }) => length >= LENGTH_MIN).slice(0, COUNT))
  return common
}

/** Whether a password is among the 10 000 most common ones of at least eight characters, in upper or lower case. */
export function isCommonPassword(password: string): boolean {
  return loadCommonPasswords().has(password.normalize('NFKC').trim().toLowerCase())
}
