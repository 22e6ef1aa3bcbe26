import type { Knex } from 'knex'
import type { Secrets } from '../secrets.ts'
import { nameWithNumber, USERNAME_MAX } from './collisions.ts'
import { keyHash } from './key-hash.ts'
import type { MappedRow } from './mappers/mapper.ts'
import type { Product } from './report.ts'

/** Maximum number of rows per table to compare. */
const SAMPLE = 200
/**
 * Minimum number of proofs that identify a source at another address, because two gateways may have one key in common.
 * Fewer proofs are enough if their number equals the number of keys in the sample.
 */
const PROOFS_MIN = 2
/** Name of a user that every gateway has. */
const ROOT = 'root'

export interface SourceSample {
  users: readonly MappedRow[]
  tokens: readonly { id: number; key: string }[]
}

interface FoundSource {
  /** 0 for a new source. */
  id: number
  /** Whether a different database was imported from this address. */
  isReplaced: boolean
}

/**
 * Finds an earlier source by its address and its contents. A database at the same address is a different source if most
 * rows with imported ids now have other keys or names. A copy or dump at another address is the same source if most of
 * these rows have the same keys or names.
 */
export async function findSource(
  db: Knex,
  { product, location }: { product: Product; location: string },
  { users, tokens, secrets }: SourceSample & { secrets: Pick<Secrets, 'digest'> },
): Promise<FoundSource> {
  const sample = { users: users.slice(0, SAMPLE), keys: hashesOf(tokens.slice(0, SAMPLE), secrets) }
  const knownSources: number[] = await db('import_sources')
    .where({ product, location })
    .orderBy('id', 'desc')
    .pluck('id')
  const unused: number[] = []
  for (const id of knownSources) {
    const { equal, different, roots, importedCount } = await compare(db, id, sample)
    const isEmpty = sample.users.length + sample.keys.size === 0
    const isSame = equal + different > 0 ? equal >= different : roots > 0 || (isEmpty && importedCount > 0)
    if (isSame) return { id, isReplaced: false }
    if (importedCount === 0) unused.push(id)
  }
  for (const id of await sourcesWithKeys(db, product, sample.keys)) {
    const { equal, different, proofs } = await compare(db, id, sample)
    if (equal > different && (proofs >= PROOFS_MIN || proofs === sample.keys.size)) return { id, isReplaced: false }
  }
  return { id: unused[0] ?? 0, isReplaced: knownSources.length > 0 && unused.length === 0 }
}

interface Sample {
  users: readonly MappedRow[]
  /** Digests of keys by the source's id. */
  keys: ReadonlyMap<number, string>
}

function hashesOf(tokens: SourceSample['tokens'], secrets: Pick<Secrets, 'digest'>): Map<number, string> {
  return new Map(tokens.map(({ id, key }) => [id, keyHash(secrets, key)]))
}

/** Returns the sources of tokens with these keys and ids, newest first. */
async function sourcesWithKeys(db: Knex, product: Product, keys: Sample['keys']): Promise<number[]> {
  if (keys.size === 0) return []
  const rows: { source_id: number; source_row: number; key_hash: string }[] = await db('tokens')
    .join('import_rows', (join) => {
      join.on('import_rows.target_row', 'tokens.id').andOn(db.raw(`import_rows.kind = 'tokens'`))
    })
    .join('import_sources', 'import_sources.id', 'import_rows.source_id')
    .where('import_sources.product', product)
    .whereIn('tokens.key_hash', [...keys.values()])
    .select('import_rows.source_id', 'import_rows.source_row', 'tokens.key_hash')
  const equal = rows.filter(({ source_row, key_hash }) => keys.get(source_row) === key_hash)
  return [...new Set(equal.map(({ source_id }) => source_id))].sort((a, b) => b - a)
}

interface Comparison {
  /** Number of rows with the same id and the same key or name. */
  equal: number
  /** Number of equal rows that cannot be equal by chance: tokens with the same key, and users with the same digest. */
  proofs: number
  /** Number of rows with the same id but another key or name. */
  different: number
  /** Number of users named root with the same id but another digest. Every gateway has one, so they prove nothing. */
  roots: number
  /** Number of users and tokens that were imported from the source. */
  importedCount: number
}

async function compare(db: Knex, sourceId: number, { users, keys }: Sample): Promise<Comparison> {
  const knownRows = (kind: 'users' | 'tokens', ids: readonly number[]) =>
    db('import_rows')
      .join(kind, `${kind}.id`, 'import_rows.target_row')
      .where('import_rows.source_id', sourceId)
      .where('import_rows.kind', kind)
      .whereIn('import_rows.source_row', ids)
  const result: Comparison = { equal: 0, proofs: 0, different: 0, roots: 0, importedCount: 0 }
  const tokens: { source_row: number; key_hash: string }[] = await knownRows('tokens', [...keys.keys()]).select(
    'import_rows.source_row',
    'tokens.key_hash',
  )
  for (const { source_row, key_hash } of tokens) {
    if (keys.get(source_row) === key_hash) {
      result.equal++
      result.proofs++
    } else result.different++
  }
  const byId = new Map(users.map((user) => [user.id, user]))
  const importedUsers: { source_row: number; digest: string; username: string }[] = await knownRows('users', [
    ...byId.keys(),
  ]).select('import_rows.source_row', 'import_rows.digest', 'users.username')
  for (const { source_row, digest, username } of importedUsers) {
    const user = byId.get(source_row)
    const name = String(user?.fields.username)
    // The digest includes the password hash, so two users cannot have the same digest by chance.
    if (user?.digest === digest) {
      result.equal++
      result.proofs++
    } else if (!isSameName(username, name)) result.different++
    else if (name === ROOT) result.roots++
    else result.equal++
  }
  const imported = await db('import_rows')
    .where({ source_id: sourceId })
    .whereIn('kind', ['users', 'tokens'])
    .count({ n: '*' })
    .first()
  return { ...result, importedCount: Number(imported?.n ?? 0) }
}

/** Returns whether an imported user may have had this name at the source. The import adds a suffix to taken names. */
function isSameName(importedName: string, sourceName: string): boolean {
  const [, number = '1'] = /-(\d{1,9})$/.exec(importedName) ?? []
  return importedName === sourceName || importedName === nameWithNumber(sourceName, Number(number), USERNAME_MAX)
}
