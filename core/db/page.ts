import type { Knex } from 'knex'
import { type Page, type Paging, pageBounds } from '../input.ts'
import { countRows } from './count-rows.ts'

/** Returns one page of the matching rows, and their total number. */
export async function readPage<Row>(
  matching: Knex.QueryBuilder,
  paging: Paging,
  {
    columns,
    order,
    countAll = () => countRows(matching),
  }: {
    columns: readonly string[]
    order: { column: string; order: 'asc' | 'desc' }[]
    /** Counts the matching rows, if there is a faster way than the default. */
    countAll?: () => Promise<number>
  },
): Promise<Page<Row>> {
  const { page, page_size, offset } = pageBounds(paging)
  const total = await countAll()
  // Skip the query for an empty page, because without an index this query takes as long as the count.
  if (offset >= total) return { items: [], total, page, page_size }
  const items = await matching
    .orderBy(order)
    .limit(page_size)
    .offset(offset)
    .select(...columns)
  return { items, total, page, page_size }
}

export const NEWEST_FIRST: { column: string; order: 'desc' }[] = [{ column: 'id', order: 'desc' }]
