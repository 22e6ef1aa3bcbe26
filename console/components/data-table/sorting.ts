export interface Sorting {
  /** The server's name of the sort column; empty for the default order. */
  sort: string
  order: 'asc' | 'desc'
  /** Sorting goes back to the first page. */
  sortBy: (sort: string, order: 'asc' | 'desc') => void
}

/** Returns the sorting after a click on a header: one direction, the other, then the default. Amounts start descending. */
export function nextSorting(
  { sort, order }: Pick<Sorting, 'sort' | 'order'>,
  column: { sort: string; align?: string | undefined },
): [string, 'asc' | 'desc'] {
  const first = column.align === 'right' ? 'desc' : 'asc'
  if (sort !== column.sort) return [column.sort, first]
  return order === first ? [column.sort, first === 'asc' ? 'desc' : 'asc'] : ['', 'desc']
}
