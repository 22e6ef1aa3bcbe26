import { nearest } from './nearest.ts'

/*
 * What somebody may have meant who gave words that are no command: other words for the same, the plural, the order of other
 * programs, and letters that went astray.
 */

/** What one program calls so, another calls otherwise. */
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

/** By name, plural or another word. */
function known(word: string, names: readonly string[], synonyms: readonly string[][]): string | undefined {
  const wanted = word.toLowerCase()
  const forms = [wanted, wanted.replace(/ies$/, 'y'), wanted.replace(/e?s$/, ''), wanted.replace(/s$/, '')]
  const named = names.find((name) => forms.includes(name) || wanted === `${name}s`)
  if (named) return named
  const others = synonyms.filter((group) => group.some((other) => forms.includes(other))).flat()
  return others.find((other) => names.includes(other))
}

/** The verb of these names that the word may stand for. */
export function verbMeant(word: string, verbs: readonly string[]): string | undefined {
  return known(word, verbs, VERBS) ?? nearest(word, verbs)
}

/** The words of a command, without `tollgate`; undefined when nothing is near. `verbsOf` loads a noun. */
export async function commandMeant(
  words: readonly string[],
  { nouns, verbsOf }: { nouns: readonly string[]; verbsOf: (noun: string) => Promise<string[]> },
): Promise<string[] | undefined> {
  const [first = '', second] = words.length === 1 ? partsOf(words[0] ?? '') : words
  const nounFirst = known(first, nouns, NOUNS)
  const nounLast = second === undefined ? undefined : known(second, nouns, NOUNS)
  if (nounLast && (!nounFirst || second === nounLast)) {
    const verb = verbMeant(first, await verbsOf(nounLast))
    if (verb) return [nounLast, verb]
  }
  const noun = nounFirst ?? nearest(first, nouns)
  if (!noun) return nounLast ? [nounLast] : undefined
  const verb = second === undefined ? undefined : verbMeant(second, await verbsOf(noun))
  return verb ? [noun, verb] : [noun]
}

/** token:list and token-list are how other programs put it. */
function partsOf(word: string): string[] {
  const [first = '', second, ...rest] = word.split(/[-:._/]/)
  return second && rest.length === 0 ? [first, second] : [word]
}
