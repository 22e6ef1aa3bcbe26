import type { Knex } from 'knex'
import { inParts } from '../in-parts.ts'
import type { Secrets } from '../secrets.ts'
import type { Rows } from '../tables/rows.ts'

/** Returns the signature of a text: 64 hex digits. The signing key is derived from the installation's secret. */
export type Sign = (text: string) => string

export const signWith =
  ({ digest }: Pick<Secrets, 'digest'>): Sign =>
  (text) =>
    digest(`ledger:${text}`)

/** An entry as stored, without its id and hash. */
export type EntryRow = Omit<Rows['ledger_entries'], 'id' | 'hash'>

/** The end of a user's chain, as stored. */
interface Head {
  user_id: number
  /** The end of the chain, as `endOf` returns it. */
  hash: string
  entries: number
}

const ROWS_PER_INSERT = 500

/**
 * Returns the hash of an entry. The hash covers the entry's fields and the end of the chain before the entry. An
 * attacker who changes, removes or adds a row cannot compute valid hashes without the installation's secret.
 */
function entryHashOf(sign: Sign, before: string, row: EntryRow): string {
  const { user_id, kind, quota, balance_after, actor_id, reference, note, created_at } = row
  return sign(JSON.stringify([before, user_id, kind, quota, balance_after, actor_id, reference, note, created_at]))
}

/**
 * Returns the end of a user's chain, which the hash of the next entry includes. Entries do not store this value. So an
 * attacker without the secret cannot remove the last entries and make an older entry the end.
 */
export function endOf(sign: Sign, userId: number, hash: string | null): string {
  return sign(JSON.stringify(['end', userId, hash ?? '']))
}

/** Appends entries to their users' chains, in the order of ids. The caller has locked the users' rows. */
export async function appendEntries(trx: Knex.Transaction, rows: readonly EntryRow[], sign: Sign): Promise<void> {
  if (rows.length === 0) return
  const ids = [...new Set(rows.map(({ user_id }) => user_id))].sort((a, b) => a - b)
  const storedHeads: Head[] = await trx('ledger_heads').whereIn('user_id', ids).orderBy('user_id').forUpdate()
  const heads = new Map(storedHeads.map((head) => [head.user_id, head]))
  const entryRows = rows.map((row) => {
    const { hash = '', entries = 0 } = heads.get(row.user_id) ?? {}
    const entryHash = entryHashOf(sign, hash, row)
    heads.set(row.user_id, { user_id: row.user_id, hash: endOf(sign, row.user_id, entryHash), entries: entries + 1 })
    return { ...row, hash: entryHash }
  })
  const headRows = [...heads.values()]
  if (trx.client.dialect === 'sqlite3') return appendAsJson(trx, entryRows, headRows)
  for (const part of inParts(entryRows, ROWS_PER_INSERT)) await trx('ledger_entries').insert(part)
  for (const part of inParts(headRows, ROWS_PER_INSERT)) {
    await trx('ledger_heads').insert(part).onConflict('user_id').merge(['hash', 'entries'])
  }
}

const ENTRY_COLUMNS = [
  'user_id',
  'kind',
  'quota',
  'balance_after',
  'actor_id',
  'reference',
  'note',
  'created_at',
  'hash',
] as const
const HEAD_COLUMNS = ['user_id', 'hash', 'entries'] as const

/** Inserts rows through one JSON parameter. With a parameter per value, the SQLite driver is several times slower. */
async function appendAsJson(
  trx: Knex.Transaction,
  entries: readonly (EntryRow & { hash: string })[],
  heads: readonly Head[],
): Promise<void> {
  const valuesOf = (columns: readonly string[]) =>
    `(${columns.join(', ')}) SELECT ${columns.map((_, at) => `value ->> ${at}`).join(', ')} FROM json_each(?) WHERE true`
  const entryValues = entries.map((entry) => ENTRY_COLUMNS.map((column) => entry[column]))
  await trx.raw(`INSERT INTO ledger_entries ${valuesOf(ENTRY_COLUMNS)}`, [JSON.stringify(entryValues)])
  const headValues = heads.map((head) => HEAD_COLUMNS.map((column) => head[column]))
  await trx.raw(
    `INSERT INTO ledger_heads ${valuesOf(HEAD_COLUMNS)}
      ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, entries = excluded.entries`,
    [JSON.stringify(headValues)],
  )
}

/** A break of a chain: an entry with a wrong hash, or a chain whose end differs from the stored end. */
export interface ChainBreak {
  table: 'ledger_entries' | 'ledger_heads'
  /** The id of the entry. For `ledger_heads`, the id of the user whose last entries are missing. */
  id: number
  userId: number
  /** The expected hash. */
  expected: string
  /** The number of entries in the chain up to this row. */
  entries: number
}

const READ_AT_ONCE = 5000

/** Reads all entries, user by user, and yields the breaks of chains. Omits breaks that a repair has accepted. */
export async function* findBreaks(db: Knex, sign: Sign): AsyncGenerator<ChainBreak> {
  const accepted = new Map<number, string>(
    (await db('chain_breaks').select('entry_id', 'hash')).map(({ entry_id, hash }) => [Number(entry_id), hash]),
  )
  const heads = new Map<number, Head>((await db('ledger_heads')).map((head: Head) => [head.user_id, head]))
  let last = { user_id: -1, id: 0, end: '', entries: 0 }
  const checkEnd = (): ChainBreak | undefined => {
    const { user_id, end, entries } = last
    const head = heads.get(user_id)
    heads.delete(user_id)
    if (user_id < 0 || (head?.hash === end && head.entries === entries)) return undefined
    return { table: 'ledger_heads', id: user_id, userId: user_id, expected: end, entries }
  }
  for (;;) {
    const rows: (EntryRow & { id: number; hash: string | null })[] = await db('ledger_entries')
      .whereRaw('(user_id, id) > (?, ?)', [last.user_id, last.id])
      .orderBy(['user_id', 'id'])
      .limit(READ_AT_ONCE)
    for (const { id, hash, ...row } of rows) {
      if (row.user_id !== last.user_id) {
        const missing = checkEnd()
        if (missing) yield missing
        last = { user_id: row.user_id, id: 0, end: '', entries: 0 }
      }
      const expected = entryHashOf(sign, last.end, row)
      last = { user_id: row.user_id, id, end: endOf(sign, row.user_id, hash), entries: last.entries + 1 }
      if (hash !== expected && accepted.get(id) !== expected) {
        yield { table: 'ledger_entries', id, userId: row.user_id, expected, entries: last.entries }
      }
    }
    if (rows.length < READ_AT_ONCE) break
  }
  const missing = checkEnd()
  if (missing) yield missing
  for (const { user_id } of heads.values()) {
    yield { table: 'ledger_heads', id: user_id, userId: user_id, expected: '', entries: 0 }
  }
}
