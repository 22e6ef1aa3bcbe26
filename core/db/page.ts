import type { Knex } from 'knex'
import { type Page, type Paging, pageBounds } from '../input.ts'

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

type SortOrder = 'asc' | 'desc'

/** Sort column of a list. Without `sort`, the list has its default order. */
export interface Sort<Column extends string> {
  sort?: Column
  /** Descending if absent. */
  order?: SortOrder
}

/** Returns the ORDER BY of a list. `usual` is the default order, and the order of rows with equal sort values. */
export function orderOf<Column extends string>(
  { sort, order = 'desc' }: Sort<Column>,
  usual: { column: string; order: SortOrder }[],
): { column: string; order: SortOrder }[] {
  return sort === undefined ? usual : [{ column: sort, order }, ...usual.filter(({ column }) => column !== sort)]
}

/** Returns the number of rows that a query matches. */
export async function countRows(matching: Knex.QueryBuilder): Promise<number> {
  const row = await matching.clone().count({ total: '*' }).first()
  return Number(row?.total ?? 0)
}
