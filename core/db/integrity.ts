import type { Database } from './database.ts'

/** What is wrong with the rows themselves; empty when nothing is. */
export interface Damage {
  where: string
  what: string
}

/** Rows that name a row which is not there: no foreign key keeps them, since other programs write these tables too. */
const REFERENCES: readonly { table: string; column: string; to: string; kept?: string }[] = [
  // Of a user who was deleted, tokens stay that are deleted too.
  { table: 'tokens', column: 'user_id', to: 'users', kept: 'deleted_at' },
  { table: 'abilities', column: 'channel_id', to: 'channels' },
  { table: 'holds', column: 'node_id', to: 'nodes' },
]
const NAMED_MAX = 10

/** Reads all pages of a SQLite database; takes a while with a large one. PostgreSQL checks its own pages. */
export async function findCorruption({ kind, reader }: Pick<Database, 'kind' | 'reader'>): Promise<Damage[]> {
  if (kind !== 'sqlite') return []
  const rows = (await reader.raw(`PRAGMA integrity_check(${NAMED_MAX})`)) as { integrity_check: string }[]
  return rows
    .filter(({ integrity_check }) => integrity_check !== 'ok')
    .map(({ integrity_check: what }) => ({ where: 'integrity', what }))
}

/** Looks for rows that refer to rows which are not there. */
export async function findLostReferences({ reader }: Pick<Database, 'reader'>): Promise<Damage[]> {
  const damage: Damage[] = []
  for (const { table, column, to, kept } of REFERENCES) {
    const lost = await reader(table)
      .modify((rows) => void (kept && rows.whereNull(kept)))
      .whereNotIn(column, reader(to).select('id'))
      .count({ total: '*' })
      .first()
    const total = Number(lost?.total ?? 0)
    if (total > 0) damage.push({ where: table, what: `${total} rows without their ${to}` })
  }
  return damage
}
