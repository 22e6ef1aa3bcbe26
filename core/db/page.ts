import type { Knex } from 'knex'
import { type Page, type Paging, pageBounds } from '../input.ts'

/** One page of the rows that a query matches, with how many there are in all. */
export async function readPage<Row>(
  matching: Knex.QueryBuilder,
  paging: Paging,
  {
    columns,
    order,
    countAll = async () => ((await matching.clone().count({ total: '*' })) as [{ total: number }])[0].total,
  }: {
    columns: readonly string[]
    order: { column: string; order: 'asc' | 'desc' }[]
    /** How to count them, where there is a faster way. */
    countAll?: () => Promise<number>
  },
): Promise<Page<Row>> {
  const { page, page_size, offset } = pageBounds(paging)
  const total = await countAll()
  // Where no index helps, finding nothing takes as long as counting did.
  if (offset >= total) return { items: [], total, page, page_size }
  const items = (await matching
    .orderBy(order)
    .limit(page_size)
    .offset(offset)
    .select(...columns)) as Row[]
  return { items, total, page, page_size }
}

export const NEWEST_FIRST: { column: string; order: 'desc' }[] = [{ column: 'id', order: 'desc' }]
