import type { Database } from '../../db/database.ts'
import { inParts } from '../../in-parts.ts'
import { grouped } from './cells.ts'
import { type NamedUsage, sumUsages } from './totals.ts'

const IDS_PER_QUERY = 500

/** Sums the usage of a team's keys by the id of the member who created them. Includes deleted keys. */
export async function byMember(
  { reader }: Database,
  tokens: ReadonlyMap<string, NamedUsage>,
): Promise<Map<string, NamedUsage>> {
  const ids = [...tokens.keys()].map(Number)
  const memberOf = new Map<string, string>()
  for (const part of inParts(ids, IDS_PER_QUERY)) {
    const rows: { id: number; member_id: number | null }[] = await reader('tokens')
      .whereIn('id', part)
      .select('id', 'member_id')
    for (const { id, member_id } of rows) memberOf.set(String(id), String(member_id ?? ''))
  }
  const members = grouped(tokens.values(), ({ name }) => memberOf.get(name) ?? '')
  return new Map([...members].map(([name, usages]) => [name, sumUsages(usages, name)]))
}
