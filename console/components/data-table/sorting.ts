export interface Sorting {
  /** The server's name of the column to sort by; empty for the default order. */
  sort: string
  order: 'asc' | 'desc'
  /** Sorts the list and goes to the first page. */
  sortBy: (sort: string, order: 'asc' | 'desc') => void
}

/**
 * Returns the sorting after a click on a header. Clicks change from the first direction to the opposite direction, then
 * to the default order. Right-aligned columns, which contain amounts, start descending; others start ascending.
 */
export function nextSorting(
  { sort, order }: Pick<Sorting, 'sort' | 'order'>,
  column: { sort: string; align?: string | undefined },
): [string, 'asc' | 'desc'] {
  const first = column.align === 'right' ? 'desc' : 'asc'
  if (sort !== column.sort) return [column.sort, first]
  return order === first ? [column.sort, first === 'asc' ? 'desc' : 'asc'] : ['', 'desc']
}
