export type ItemKey = string | number

/**
 * One line of a table: a record, or the details of a record. `place` is the record's position on the page, from 1;
 * child records have the place of their parent. `number` is the displayed row number: `2` for the second record, `2.1`
 * for its first child.
 */
export type TableItem<Row> =
  | { kind: 'row'; key: ItemKey; row: Row; parent: Row | undefined; place: number; number: string }
  | { kind: 'details'; key: string; row: Row; place: number }

export type RowKey<Row> = (keyof Row & string) | ((row: Row) => ItemKey)

export function itemKeyOf<Row>(rowKey: RowKey<Row>, row: Row): ItemKey {
  return typeof rowKey === 'string' ? (row[rowKey] as ItemKey) : rowKey(row)
}

export function childrenOf<Row>(row: Row): readonly Row[] | undefined {
  const { children } = row as { children?: readonly Row[] }
  return Array.isArray(children) ? children : undefined
}

/** Returns the table's lines in order. Each expanded record is followed by its child records, then by its details. */
export function itemsOf<Row>(
  rows: readonly Row[],
  { rowKey, expanded, details }: { rowKey: RowKey<Row>; expanded: ReadonlySet<ItemKey>; details: boolean },
): TableItem<Row>[] {
  return rows.flatMap((row, index) => {
    const key = itemKeyOf(rowKey, row)
    const place = index + 1
    const item: TableItem<Row> = { kind: 'row', key, row, parent: undefined, place, number: String(place) }
    if (!expanded.has(key)) return [item]
    const below = (childrenOf(row) ?? []).map(
      (child, index): TableItem<Row> => ({
        kind: 'row',
        key: itemKeyOf(rowKey, child),
        row: child,
        parent: row,
        place,
        number: `${place}.${index + 1}`,
      }),
    )
    return [item, ...below, ...(details ? [{ kind: 'details' as const, key: `${key} details`, row, place }] : [])]
  })
}
