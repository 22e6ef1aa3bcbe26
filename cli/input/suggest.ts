import { nearest } from './nearest.ts'

/*
 * Suggests a command for unknown words: synonyms, plurals, the word order of other programs, and misspellings.
 */

/** Synonyms in other programs. */
const VERBS = [
  ['list', 'ls', 'all', 'index'],
  ['get', 'show', 'view', 'info', 'describe', 'cat', 'read', 'inspect', 'status'],
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

/** Matches a name, its plural or a synonym. */
function known(word: string, names: readonly string[], synonyms: readonly string[][]): string | undefined {
  const wanted = word.toLowerCase()
  const forms = [wanted, wanted.replace(/ies$/, 'y'), wanted.replace(/e?s$/, ''), wanted.replace(/s$/, '')]
  const named = names.find((name) => forms.includes(name) || wanted === `${name}s`)
  if (named) return named
  const others = synonyms.filter((group) => group.some((other) => forms.includes(other))).flat()
  return others.find((other) => names.includes(other))
}

/** The most likely verb for the word. */
export function suggestVerb(word: string, verbs: readonly string[]): string | undefined {
  return known(word, verbs, VERBS) ?? nearest(word, verbs)
}

/** Words of the suggested command, without `tollgate`; undefined if none is similar. `verbsOf` loads a noun. */
export async function suggestCommand(
  words: readonly string[],
  { nouns, verbsOf }: { nouns: readonly string[]; verbsOf: (noun: string) => Promise<string[]> },
): Promise<string[] | undefined> {
  const [first = '', second] = words.length === 1 ? partsOf(words[0] ?? '') : words
  const nounFirst = known(first, nouns, NOUNS)
  const nounLast = second === undefined ? undefined : known(second, nouns, NOUNS)
  if (nounLast && (!nounFirst || second === nounLast)) {
    const verb = suggestVerb(first, await verbsOf(nounLast))
    if (verb) return [nounLast, verb]
  }
  const noun = nounFirst ?? nearest(first, nouns)
  if (!noun) return nounLast ? [nounLast] : undefined
  const verb = second === undefined ? undefined : suggestVerb(second, await verbsOf(noun))
  return verb ? [noun, verb] : [noun]
}

/** Splits token:list and token-list, the syntax of other programs. */
function partsOf(word: string): string[] {
  const [first = '', second, ...rest] = word.split(/[-:._/]/)
  return second && rest.length === 0 ? [first, second] : [word]
}
