import { GatewayError } from '../errors.ts'

/** The nouns of the management API that scopes can allow. */
export const SCOPE_NOUNS = [
  ...['codes', 'channels', 'tokens', 'users', 'logs', 'tasks', 'batches', 'files', 'options', 'groups', 'limits'],
  ...['notices', 'pricing', 'ledger', 'audit', 'jobs', 'status', 'configuration'],
] as const
/** The noun that `*` does not include, because a configuration file can replace everything. */
const NAMED_ONLY = 'configuration'
export const SCOPE_VERBS = ['read', 'create', 'update', 'delete', 'test'] as const

export type ScopeNoun = (typeof SCOPE_NOUNS)[number]
export type ScopeVerb = (typeof SCOPE_VERBS)[number]
export type Scope = `${ScopeNoun}:${ScopeVerb}`

const ANY = '*'

/**
 * Returns scopes as they are stored: sorted and without duplicates. `*` means every verb, or every noun except
 * `configuration`. Throws FIELD_REQUIRED, SCOPE_UNKNOWN.
 */
export function parseScopes(scopes: readonly string[]): string[] {
  const distinctScopes = [...new Set(scopes.map((scope) => scope.trim()).filter((scope) => scope !== ''))].sort()
  if (distinctScopes.length === 0) throw new GatewayError('FIELD_REQUIRED', { field: 'scopes' })
  const unknown = distinctScopes.find((scope) => !isScope(scope))
  if (unknown !== undefined) {
    throw new GatewayError('SCOPE_UNKNOWN', {
      scope: unknown,
      nouns: SCOPE_NOUNS.join(', '),
      verbs: SCOPE_VERBS.join(', '),
    })
  }
  return distinctScopes
}

/** Returns whether a key's scopes include the scope that a call needs. */
export function covers(scopes: readonly string[], needed: string): boolean {
  const [noun, verb] = needed.split(':')
  return scopes.some((scope) => {
    const [allowedNoun, allowedVerb] = scope.split(':')
    const hasNoun = allowedNoun === noun || (allowedNoun === ANY && noun !== NAMED_ONLY)
    return hasNoun && (allowedVerb === ANY || allowedVerb === verb)
  })
}

/** Returns whether the scopes of a key allow everything that another scope allows. The other scope may contain `*`. */
export function coversScope(scopes: readonly string[], other: string): boolean {
  const [noun, verb] = other.split(':')
  const nouns = noun === ANY ? SCOPE_NOUNS.filter((each) => each !== NAMED_ONLY) : [noun]
  const verbs = verb === ANY ? SCOPE_VERBS : [verb]
  return nouns.every((one) => verbs.every((each) => covers(scopes, `${one}:${each}`)))
}

function isScope(text: string): boolean {
  const [noun, verb, ...rest] = text.split(':')
  const fits = (word: string | undefined, words: readonly string[]) => word === ANY || words.includes(word ?? '')
  return rest.length === 0 && fits(noun, SCOPE_NOUNS) && fits(verb, SCOPE_VERBS)
}
