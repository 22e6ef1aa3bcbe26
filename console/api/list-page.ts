/** One page of a list. */
export interface ListPage {
  /** The page number, from 1. */
  page: number
  pageSize: number
}

/** The order of a list. An empty or absent `sort` is the list's default order. */
export interface ListSort {
  sort?: string | undefined
  order?: 'asc' | 'desc' | undefined
}

/** Returns the query parameters for an order. The column name may come from the URL; an unknown name is ignored. */
export function sortQuery<Column extends string>(
  columns: readonly Column[],
  { sort = '', order }: ListSort,
): { sort?: Column; order?: 'asc' | 'desc' } {
  const column = columns.find((name) => name === sort)
  return column === undefined ? {} : { sort: column, ...(order && { order }) }
}
