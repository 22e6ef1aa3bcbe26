export type Order = 'asc' | 'desc'

/** Sort column of a list; absent: the default order. */
export interface Sort<Column extends string> {
  sort?: Column
  /** Absent: descending. */
  order?: Order
}

/** Returns the ORDER BY of a list; `usual` orders equal rows. */
export function orderOf<Column extends string>(
  { sort, order = 'desc' }: Sort<Column>,
  usual: { column: string; order: Order }[],
): { column: string; order: Order }[] {
  return sort === undefined ? usual : [{ column: sort, order }, ...usual.filter(({ column }) => column !== sort)]
}
