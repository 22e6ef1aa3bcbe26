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
