import type { Knex } from 'knex'
import { USER_KIND } from '../actor.ts'
import { checkKey } from '../management-keys/insert.ts'
import { parseScopes } from '../management-keys/scopes.ts'
import { requireKeyShape } from '../management-keys/secret.ts'
import type { Secrets } from '../secrets.ts'
import { NEVER } from '../tokens/token.ts'
import { checkedAt, faultAt, unknownAt } from './fault.ts'
import { joinedName, SecretDigest } from './fields.ts'
import type { Names } from './names.ts'
import type { ManagementKeyDefinition } from './schema.ts'

/** A date, or a date and time with its zone. A date alone means its first second in UTC. */
const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?$/

/** The fields of a key in a state. */
export type KeyFields = Omit<ManagementKeyDefinition, 'key'> & { key?: SecretDigest }

/** Returns the name that plans show for a key, such as `root/ci`. */
export const keyTitle = ({ user, name }: Pick<ManagementKeyDefinition, 'user' | 'name'>): string =>
  joinedName([user, name])

interface StoredKey {
  id: number
  user_id: number
  user: string
  name: string
  key_hash: string
  scopes: string
  quota_max: number | string | null
  expires_at: number | string
}

/** Returns the keys that are not revoked, by title. Of keys with the same title, only the newest can be unexpired. */
export async function storedKeys(reader: Knex): Promise<Map<string, StoredKey>> {
  const rows: StoredKey[] = await reader('management_keys')
    .join('users', 'users.id', 'management_keys.user_id')
    .where({ revoked_at: 0, kind: USER_KIND.person })
    .whereNull('deleted_at')
    .orderBy('management_keys.id')
    .select(
      ...['management_keys.id', 'user_id', 'users.username as user', 'name', 'key_hash', 'scopes', 'quota_max'],
      'management_keys.expires_at',
    )
  return new Map(rows.map((row) => [keyTitle(row), row]))
}

export async function readManagementKeys(reader: Knex): Promise<Map<string, KeyFields>> {
  const keys = [...(await storedKeys(reader))].map(([title, row]): [string, KeyFields] => {
    const { user, name, key_hash, scopes, quota_max, expires_at } = row
    const limits = limitsOf(quota_max === null ? undefined : Number(quota_max), Number(expires_at))
    return [title, { user, name, key: new SecretDigest(key_hash), scopes: scopes.split(' '), ...limits }]
  })
  return new Map(keys.sort(([one], [other]) => (one < other ? -1 : 1)))
}

const limitsOf = (
  quota_max: number | undefined,
  expires_at: number,
): Pick<ManagementKeyDefinition, 'quota_max' | 'expires_at'> => ({
  ...(quota_max !== undefined && { quota_max }),
  ...(expires_at !== NEVER && { expires_at: new Date(expires_at * 1000).toISOString().replace('.000Z', 'Z') }),
})

/** Returns the keys of a document by title. Throws CONFIGURATION_INVALID with the path, without texts of keys. */
export async function desiredManagementKeys(
  definitions: readonly ManagementKeyDefinition[],
  {
    current,
    names,
    secrets,
    now,
  }: { current: ReadonlyMap<string, KeyFields>; names: Names; secrets: Secrets; now: number },
): Promise<Map<string, KeyFields>> {
  const keys = new Map<string, KeyFields>()
  for (const [at, definition] of definitions.entries()) {
    const path = `management_keys.${at}`
    const { user, name, key, quota_max } = definition
    const title = keyTitle(definition)
    if ((await names.user(user)) === undefined) throw unknownAt(path, 'user', user)
    if (keys.has(title)) throw faultAt(path, 'configuration.twice', { name: title })
    const before = current.get(title)
    if (!before && key === undefined) throw faultAt(path, 'configuration.managementKeyMissing', { name: title })
    if (key !== undefined) checkedAt(`${path}.key`, () => requireKeyShape(key))
    const limits = limitsOf(quota_max, expiryAt(path, definition.expires_at))
    // A new expiry must be in the future. An unchanged expiry may be in the past, because expired keys stay stored
    // until they are deleted.
    if (limits.expires_at !== before?.expires_at && expiryAt(path, definition.expires_at) <= now && limits.expires_at)
      throw faultAt(path, 'configuration.expired')
    const scopes = checkedAt(`${path}.scopes`, () => parseScopes(definition.scopes))
    checkedAt(path, () => checkKey({ name, scopes, quota_max: quota_max ?? null }, now))
    keys.set(title, {
      ...{ user, name },
      ...(key !== undefined && { key: new SecretDigest(secrets.digest(key)) }),
      scopes,
      ...limits,
    })
  }
  return keys
}

function expiryAt(path: string, text: string | undefined): number {
  if (text === undefined) return NEVER
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw faultAt(path, 'configuration.expiryMalformed', { value: text })
  return Math.floor(time / 1000)
}

/** Returns a key in the form of a document, without the key's text, which is not stored. */
export const keyDefinition = ({ key: _, ...fields }: KeyFields): ManagementKeyDefinition => fields

/** Returns the expiry of a key of `desiredManagementKeys`, in Unix seconds. */
export const keyExpiryOf = ({ expires_at }: KeyFields): number =>
  expires_at === undefined ? NEVER : Math.floor(Date.parse(expires_at) / 1000)
