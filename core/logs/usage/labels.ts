import type { Database } from '../../db/database.ts'
import type { Grouping } from './groupings.ts'

const TABLES = {
  user: ['users', 'username'],
  member: ['users', 'username'],
  token: ['tokens', 'name'],
  channel: ['channels', 'name'],
} as const

/** Returns the current names of users, members, tokens or channels, by id as text. Omits ids without a row. */
export async function readUsageLabels(
  db: Database,
  kind: Grouping,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (kind === 'model' || kind === 'group') return new Map()
  const ids = names.map(Number).filter((id) => Number.isSafeInteger(id) && id > 0)
  if (ids.length === 0) return new Map()
  const [table, column] = TABLES[kind]
  const rows: { id: number; label: string }[] = await db
    .reader(table)
    .whereIn('id', ids)
    .select('id', `${column} as label`)
  return new Map(rows.map(({ id, label }) => [String(id), label || `#${id}`]))
}
