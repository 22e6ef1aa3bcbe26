import { createRequire } from 'node:module'

const LISTS = 'zxcvbn/lib/frequency_lists.js'
const COUNT = 10_000
/** Shorter common passwords are omitted, because they are rejected anyway. */
const LENGTH_MIN = 8

let common: ReadonlySet<string> | undefined

/** Loads the common passwords. To avoid reading their file later, call this function when a process starts. */
export function loadCommonPasswords(): ReadonlySet<string> {
  if (common) return common
  // zxcvbn (https://github.com/dropbox/zxcvbn) lists passwords of leaked databases in lower case, the most common
  // first.
  const require = createRequire(import.meta.url)
  const lists: { passwords: string[] } = require(LISTS)
  // Unload the module, because its other lists take 4 MB.
  delete require.cache[require.resolve(LISTS)]
  common = new Set(lists.passwords.filter(({ length }) => length >= LENGTH_MIN).slice(0, COUNT))
  return common
}

/** Returns whether a password is among the 10 000 most common ones of at least eight characters. Ignores case. */
export function isCommonPassword(password: string): boolean {
  return loadCommonPasswords().has(password.normalize('NFKC').trim().toLowerCase())
}
