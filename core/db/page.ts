import type { Knex } from 'knex'
import { type Page, type Paging, pageBounds } from '../input.ts'

/** Returns one page of the matching rows, with the total. */
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
    /** A faster way to count, if there is one. */
    countAll?: () => Promise<number>
  },
): Promise<Page<Row>> {
  const { page, page_size, offset } = pageBounds(paging)
  const total = await countAll()
  // Without an index, finding no rows takes as long as the count did.
  if (offset >= total) return { items: [], total, page, page_size }
  const items = (await matching
    .orderBy(order)
    .limit(page_size)
    .offset(offset)
    .select(...columns)) as Row[]
  return { items, total, page, page_size }
}

export const NEWEST_FIRST: { column: string; order: 'desc' }[] = [{ column: 'id', order: 'desc' }]
