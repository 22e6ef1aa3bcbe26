/** One page of a list. */
export interface ListPage {
  /** From 1. */
  page: number
  pageSize: number
}

/** The sort column; empty for the list's default order. The server validates the name. */
export interface ListSort {
  sort?: string
  order?: 'asc' | 'desc'
}

/** Builds the query of a sorted list. A column name from the URL that does not exist is ignored. */
export function sortQuery<Column extends string>(
  columns: readonly Column[],
  { sort = '', order }: ListSort,
): { sort?: Column; order?: 'asc' | 'desc' } {
  const column = columns.find((name) => name === sort)
  return column === undefined ? {} : { sort: column, ...(order && { order }) }
}
