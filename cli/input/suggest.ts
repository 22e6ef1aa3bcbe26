import { nearest } from './nearest.ts'

/*
 * Suggests a command for unknown words: synonyms, plurals, the word order of other programs, and misspellings.
 */

/** Each row has verbs that other programs use for the same action, the best suggestions first. */
const VERBS = [
  ['list', 'ls', 'all', 'index'],
  // `list` is at the end, for nouns without the other verbs. Otherwise, the suggestion for `get` would be the similar
  // word `set`.
  ['get', 'show', 'view', 'info', 'describe', 'cat', 'read', 'inspect', 'status', 'list'],
  ['delete', 'rm', 'remove', 'del', 'destroy', 'drop', 'revoke'],
  ['create', 'add', 'new', 'make', 'generate'],
  ['edit', 'update', 'set', 'change', 'modify', 'patch', 'rename'],
  ['enable', 'on', 'activate', 'unban', 'unblock', 'start'],
  ['disable', 'off', 'deactivate', 'ban', 'block', 'stop'],
  ['test', 'check', 'ping', 'try', 'verify', 'run'],
]
const NOUNS = [
  ['token', 'key', 'apikey', 'api-key'],
  ['channel', 'provider', 'upstream', 'backend'],
  ['user', 'people', 'person', 'customer', 'member', 'account'],
  ['redemption', 'code', 'coupon', 'voucher'],
  ['option', 'setting', 'config', 'settings'],
  ['config', 'configuration', 'env'],
  ['log', 'usage', 'history', 'request'],
  ['pricing', 'price', 'ratio', 'cost'],
  ['stat', 'dashboard', 'metrics', 'statistics'],
  ['wallet', 'balance', 'topup', 'top-up'],
  ['login', 'signin', 'sign-in', 'auth'],
  ['logout', 'signout', 'sign-out'],
  ['serve', 'server', 'start', 'run', 'up'],
  ['init', 'setup', 'install'],
  ['doctor', 'diagnose', 'check'],
  ['task', 'drawing', 'music'],
  ['job', 'cron', 'schedule'],
]

/** Returns the name whose singular, plural or synonym is the word; undefined if no name matches. */
function findName(word: string, names: readonly string[], synonyms: readonly string[][]): string | undefined {
  const lowerWord = word.toLowerCase()
  const forms = [lowerWord, lowerWord.replace(/ies$/, 'y'), lowerWord.replace(/e?s$/, ''), lowerWord.replace(/s$/, '')]
  const match = names.find((name) => forms.includes(name) || lowerWord === `${name}s`)
  if (match) return match
  const synonymsOfWord = synonyms.filter((group) => group.some((other) => forms.includes(other))).flat()
  return synonymsOfWord.find((other) => names.includes(other))
}

/** Returns the most likely verb for the word; undefined if no verb is similar. */
export function suggestVerb(word: string, verbs: readonly string[]): string | undefined {
  return findName(word, verbs, VERBS) ?? nearest(word, verbs)
}

/** Returns the suggested noun and verb; undefined if no command is similar. `verbsOf` returns the verbs of a noun. */
export async function suggestCommand(
  words: readonly string[],
  { nouns, verbsOf }: { nouns: readonly string[]; verbsOf: (noun: string) => Promise<string[]> },
): Promise<string[] | undefined> {
  const [first = '', second] = words.length === 1 ? partsOf(words[0] ?? '') : words
  const nounFirst = findName(first, nouns, NOUNS)
  const nounLast = second === undefined ? undefined : findName(second, nouns, NOUNS)
  if (nounLast && (!nounFirst || second === nounLast)) {
    const verb = suggestVerb(first, await verbsOf(nounLast))
    if (verb) return [nounLast, verb]
  }
  const noun = nounFirst ?? nearest(first, nouns)
  if (!noun) return nounLast ? [nounLast] : undefined
  const verb = second === undefined ? undefined : suggestVerb(second, await verbsOf(noun))
  return verb ? [noun, verb] : [noun]
}

/** Splits a word such as `token:list` or `token-list`, the syntax of other programs. Returns other words unchanged. */
function partsOf(word: string): string[] {
  const [first = '', second, ...rest] = word.split(/[-:._/]/)
  return second && rest.length === 0 ? [first, second] : [word]
}
