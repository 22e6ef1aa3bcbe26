import { GatewayError } from '../errors.ts'

/** What a management key can be allowed: the nouns of the management API, and what is done with them. */
export const SCOPE_NOUNS = [
  'codes',
  'channels',
  'tokens',
  'users',
  'logs',
  'tasks',
  'options',
  'groups',
  'pricing',
  'ledger',
  'audit',
  'jobs',
  'status',
] as const
export const SCOPE_VERBS = ['read', 'create', 'update', 'delete', 'test'] as const

export type ScopeNoun = (typeof SCOPE_NOUNS)[number]
export type ScopeVerb = (typeof SCOPE_VERBS)[number]
export type Scope = `${ScopeNoun}:${ScopeVerb}`

const ANY = '*'

/** Scopes as they are stored, sorted and without repetitions; `*` stands for every noun or verb. Throws FIELD_REQUIRED, SCOPE_UNKNOWN. */
export function parseScopes(scopes: readonly string[]): string[] {
  const given = [...new Set(scopes.map((scope) => scope.trim()).filter((scope) => scope !== ''))].sort()
  if (given.length === 0) throw new GatewayError('FIELD_REQUIRED', { field: 'scopes' })
  const unknown = given.find((scope) => !isScope(scope))
  if (unknown !== undefined) {
    throw new GatewayError('SCOPE_UNKNOWN', {
      scope: unknown,
      nouns: SCOPE_NOUNS.join(', '),
      verbs: SCOPE_VERBS.join(', '),
    })
  }
  return given
}

/** Whether one of the scopes of a key covers what a call needs. */
export function covers(scopes: readonly string[], needed: Scope): boolean {
  const [noun, verb] = needed.split(':')
  return scopes.some((scope) => {
    const [allowedNoun, allowedVerb] = scope.split(':')
    return (allowedNoun === ANY || allowedNoun === noun) && (allowedVerb === ANY || allowedVerb === verb)
  })
}

function isScope(text: string): boolean {
  const [noun, verb, ...rest] = text.split(':')
  const fits = (word: string | undefined, words: readonly string[]) => word === ANY || words.includes(word ?? '')
  return rest.length === 0 && fits(noun, SCOPE_NOUNS) && fits(verb, SCOPE_VERBS)
}
