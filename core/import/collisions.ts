import type { Knex } from 'knex'
import { nameColumns } from '../accounts/lookalikes.ts'
import { ROLE } from '../actor.ts'
import { findAmong } from '../db/bulk-insert.ts'
import type { Secrets } from '../secrets.ts'
import { keyHash } from './key-hash.ts'
import type { MappedRow } from './mappers/mapper.ts'

/** Changes values that collide with existing rows. Returns the reason for each row to skip, by source id. */
export type ResolveCollisions = (
  db: Knex,
  rows: readonly MappedRow[],
  parts: { secrets: Secrets; change: (id: number, what: string) => void },
) => Promise<ReadonlyMap<number, string>>

export const USERNAME_MAX = 64
const IDENTITIES = ['github_id', 'wechat_id', 'telegram_id', 'linux_do_id', 'oidc_id', 'aff_code'] as const
const NOTHING: ReadonlyMap<number, string> = new Map()

/**
 * Adds a suffix to taken names, and removes other values that belong to another user. An imported root user becomes an
 * administrator if this gateway already has a root user.
 */
export const resolveUsers: ResolveCollisions = async (db, rows, { secrets, change }) => {
  const taken = await takenIn(db, 'users', 'username', textsOf(rows, 'username'))
  for (const row of rows) {
    const name = String(row.fields.username)
    const uniqueName = await freeName(db, name, { table: 'users', column: 'username', taken, max: USERNAME_MAX })
    if (uniqueName === name) continue
    Object.assign(row.fields, nameColumns(uniqueName))
    change(row.id, `the name ${name} is taken: ${uniqueName} instead`)
  }
  // The unique index of mail addresses ignores case.
  const emails = await db('users').whereNot({ email: '' }).pluck('email')
  const takenEmails = new Set(emails.map((email: string) => email.toLowerCase()))
  for (const row of rows) {
    const email = String(row.fields.email)
    if (email === '' || claim(takenEmails, email.toLowerCase())) continue
    row.fields.email = ''
    change(row.id, `the mail address ${email} belongs to another user: left out`)
  }
  for (const column of IDENTITIES) {
    const takenIds = await takenIn(db, 'users', column, textsOf(rows, column))
    for (const row of rows) {
      const value = row.fields[column]
      if (value === null || value === '' || claim(takenIds, String(value))) continue
      row.fields[column] = column === 'aff_code' ? null : ''
      change(row.id, `${column} belongs to another user: left out`)
    }
  }
  const tokenHashes = new Map<number, string>()
  for (const {
    id,
    secrets: { access_token },
  } of rows)
    if (access_token) tokenHashes.set(id, secrets.digest(access_token))
  const takenTokens = await takenIn(db, 'users', 'access_token_hash', [...tokenHashes.values()])
  const withoutToken = new Set([...tokenHashes].filter(([, hash]) => !claim(takenTokens, hash)).map(([id]) => id))
  const hasRoot = (await db('users').where({ role: ROLE.root }).whereNull('deleted_at').first('id')) !== undefined
  for (const row of rows) {
    if (withoutToken.has(row.id)) {
      row.secrets.access_token = ''
      change(row.id, 'its access token belongs to another user: left out')
    }
    if (!hasRoot || row.fields.role !== ROLE.root) continue
    row.fields.role = ROLE.admin
    change(row.id, 'this gateway already has a root user: imported as an administrator')
  }
  return NOTHING
}

/** Skips tokens whose key belongs to another token, because keys are unique. */
export const resolveTokens: ResolveCollisions = async (db, rows, { secrets }) => {
  const hashes = new Map(rows.map(({ id, secrets: { key = '' } }) => [id, keyHash(secrets, key)]))
  const taken = await takenIn(db, 'tokens', 'key_hash', [...hashes.values()])
  const duplicates = [...hashes].filter(([, hash]) => !claim(taken, hash))
  return new Map(duplicates.map(([id]) => [id, 'another token has its key']))
}

const CHANNEL_NAME_MAX = 255

export const resolveChannels: ResolveCollisions = async (db, rows, { change }) => {
  const taken = await takenIn(db, 'channels', 'name', textsOf(rows, 'name'))
  for (const row of rows) {
    const name = String(row.fields.name)
    row.fields.name = await freeName(db, name, { table: 'channels', column: 'name', taken, max: CHANNEL_NAME_MAX })
    if (row.fields.name !== name) change(row.id, `the name ${name} is taken: ${row.fields.name} instead`)
  }
  return NOTHING
}

/** Returns a function that skips rows whose value of a unique column is taken. `reason` is the report's text. */
export function resolveUnique(table: string, column: string, reason: string): ResolveCollisions {
  return async (db, rows) => {
    const taken = await takenIn(db, table, column, textsOf(rows, column))
    const duplicates = rows.filter(({ fields }) => !claim(taken, String(fields[column])))
    return new Map(duplicates.map(({ id }) => [id, reason]))
  }
}

export const resolveNothing: ResolveCollisions = async () => NOTHING

function textsOf(rows: readonly MappedRow[], column: string): string[] {
  const texts = rows.map(({ fields }) => fields[column]).filter((value) => value !== null && value !== '')
  return [...new Set(texts.map(String))]
}

async function takenIn(db: Knex, table: string, column: string, values: readonly string[]): Promise<Set<string>> {
  if (values.length === 0 || (await db(table).first(column)) === undefined) return new Set()
  const rows = await findAmong<Record<string, string>>(db, table, { column, values, select: [column] })
  return new Set(rows.map((row) => String(row[column])))
}

/** Marks a value as taken. Returns false if another row has taken the value already. */
function claim(taken: Set<string>, value: string): boolean {
  if (taken.has(value)) return false
  taken.add(value)
  return true
}

/**
 * Returns the name if it is free, else the name with the lowest free suffix, such as `-2`. Marks the result as taken.
 * `max` is the maximum length in characters.
 */
async function freeName(
  db: Knex,
  name: string,
  { table, column, taken, max }: { table: string; column: string; taken: Set<string>; max: number },
): Promise<string> {
  for (let number = 1; ; number++) {
    const candidate = nameWithNumber(name, number, max)
    // `taken` has only stored names that equal an imported name. Look up names with a suffix in the database.
    const stored = number > 1 ? await db(table).where(column, candidate).first(column) : undefined
    if (!stored && claim(taken, candidate)) return candidate
  }
}

/** Returns the name of the nth user or channel with this name. The first has no suffix, the second has `-2`. */
export function nameWithNumber(name: string, number: number, max: number): string {
  const suffix = number === 1 ? '' : `-${number}`
  return [...name].slice(0, max - suffix.length).join('') + suffix
}
