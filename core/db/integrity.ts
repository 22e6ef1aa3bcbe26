import type { Database } from './database.ts'
import { countRows } from './page.ts'

/** A defect of the stored rows. */
interface Damage {
  where: string
  what: string
}

/** References that have no foreign key, because other programs also write these tables. */
const REFERENCES: readonly { table: string; column: string; to: string; ignoredIf?: string }[] = [
  // Ignore deleted tokens, whose rows stay when their user is deleted.
  { table: 'tokens', column: 'user_id', to: 'users', ignoredIf: 'deleted_at' },
  { table: 'abilities', column: 'channel_id', to: 'channels' },
  { table: 'holds', column: 'node_id', to: 'nodes' },
]
const LISTED_MAX = 10

/** Finds damaged pages of a SQLite database by reading all pages. Returns none for PostgreSQL, which checks its own. */
export async function findCorruption({ kind, reader }: Pick<Database, 'kind' | 'reader'>): Promise<Damage[]> {
  if (kind !== 'sqlite') return []
  const rows = await reader.raw<{ integrity_check: string }[]>(`PRAGMA integrity_check(${LISTED_MAX})`)
  return rows
    .filter(({ integrity_check }) => integrity_check !== 'ok')
    .map(({ integrity_check: what }) => ({ where: 'integrity', what }))
}

/** Finds rows that refer to missing rows. */
export async function findLostReferences({ reader }: Pick<Database, 'reader'>): Promise<Damage[]> {
  const damage: Damage[] = []
  for (const { table, column, to, ignoredIf } of REFERENCES) {
    const lost = reader(table)
      .modify((rows) => void (ignoredIf && rows.whereNull(ignoredIf)))
      .whereNotIn(column, reader(to).select('id'))
    const total = await countRows(lost)
    if (total > 0) damage.push({ where: table, what: `${total} rows without their ${to}` })
  }
  return damage
}
