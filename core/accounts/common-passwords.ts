import { createRequire } from 'node:module'

const LISTS = 'zxcvbn/lib/frequency_lists.js'
const COUNT = 10_000
/** Shorter passwords are rejected anyway, so they need no place in the list. */
const LENGTH_MIN = 8

let common: ReadonlySet<string> | undefined

/** Loads the list. A process that must not load files later calls this at its start. */
export function loadCommonPasswords(): ReadonlySet<string> {
  if (common) return common
  // In lower case, the most common first: zxcvbn (https://github.com/dropbox/zxcvbn) counted them in leaked databases.
  const require = createRequire(import.meta.url)
  const lists: { passwords: string[] } = require(LISTS)
  // The module has other lists too, of 4 MB.
  delete require.cache[require.resolve(LISTS)]
  common = new Set(lists.passwords.filter(({ length }) => length >= LENGTH_MIN).slice(0, COUNT))
  return common
}

/** Returns whether a password, in any case, is among the 10 000 most common ones of at least eight characters. */
export function isCommonPassword(password: string): boolean {
  return loadCommonPasswords().has(password.normalize('NFKC').trim().toLowerCase())
}
