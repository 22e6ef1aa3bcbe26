import { childrenOf, type RowKey, type TableKey, tableKeyOf } from './row-items.ts'

export interface Selection {
  keys: readonly TableKey[]
  onChange: (keys: TableKey[]) => void
  /** Selecting a row also selects its child rows. */
  withChildren?: true
  /** The selection remains when the page changes. */
  acrossPages?: true
}

export type CheckState = 'all' | 'some' | 'none'

/** Returns whether all, some or none of the row's children are selected. A row without children is `all` or `none`. */
export function checkStateOf<Row>(row: Row, keys: ReadonlySet<TableKey>, rowKey: RowKey<Row>): CheckState {
  const children = childrenOf(row)
  if (!children?.length) return keys.has(tableKeyOf(rowKey, row)) ? 'all' : 'none'
  const count = children.filter((child) => keys.has(tableKeyOf(rowKey, child))).length
  return count === children.length ? 'all' : count > 0 ? 'some' : 'none'
}

/** Returns the selected keys after the rows in `changed` are checked or unchecked. `rows` are all rows of the page. */
export function withChecked<Row>(
  { keys, acrossPages }: Pick<Selection, 'keys' | 'acrossPages'>,
  { rows, changed, on, rowKey }: { rows: readonly Row[]; changed: readonly Row[]; on: boolean; rowKey: RowKey<Row> },
): TableKey[] {
  const leavesOf = (row: Row) => childrenOf(row) ?? [row]
  const pageKeys = new Set(rows.flatMap(leavesOf).map((row) => tableKeyOf(rowKey, row)))
  const next = new Set(keys.filter((key) => pageKeys.has(key)))
  for (const leaf of changed.flatMap(leavesOf)) {
    if (on) next.add(tableKeyOf(rowKey, leaf))
    else next.delete(tableKeyOf(rowKey, leaf))
  }
  const parents = rows.filter((row) => childrenOf(row) && checkStateOf(row, next, rowKey) === 'all')
  const otherKeys = acrossPages ? keys.filter((key) => !pageKeys.has(key)) : []
  return [...otherKeys, ...next, ...parents.map((row) => tableKeyOf(rowKey, row))]
}
