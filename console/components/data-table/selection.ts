import { childrenOf, type ItemKey, itemKeyOf, type RowKey } from './row-items.ts'

export interface Selection {
  keys: readonly ItemKey[]
  onChange: (keys: ItemKey[]) => void
  /** Selecting a row also selects its child rows. */
  withChildren?: true
  /** The selection remains when the page changes. */
  acrossPages?: true
}

export type CheckState = 'all' | 'some' | 'none'

/** Returns whether all, some or none of the row's children are selected. A row without children is `all` or `none`. */
export function checkStateOf<Row>(row: Row, keys: ReadonlySet<ItemKey>, rowKey: RowKey<Row>): CheckState {
  const children = childrenOf(row)
  if (!children?.length) return keys.has(itemKeyOf(rowKey, row)) ? 'all' : 'none'
  const count = children.filter((child) => keys.has(itemKeyOf(rowKey, child))).length
  return count === children.length ? 'all' : count > 0 ? 'some' : 'none'
}

/** Returns the selected keys after the rows in `changed` are checked or unchecked. `rows` are all rows of the page. */
export function withChecked<Row>(
  { keys, acrossPages }: Pick<Selection, 'keys' | 'acrossPages'>,
  { rows, changed, on, rowKey }: { rows: readonly Row[]; changed: readonly Row[]; on: boolean; rowKey: RowKey<Row> },
): ItemKey[] {
  const leavesOf = (row: Row) => childrenOf(row) ?? [row]
  const pageKeys = new Set(rows.flatMap(leavesOf).map((row) => itemKeyOf(rowKey, row)))
  const next = new Set(keys.filter((key) => pageKeys.has(key)))
  for (const leaf of changed.flatMap(leavesOf)) {
    if (on) next.add(itemKeyOf(rowKey, leaf))
    else next.delete(itemKeyOf(rowKey, leaf))
  }
  const parents = rows.filter((row) => childrenOf(row) && checkStateOf(row, next, rowKey) === 'all')
  const otherKeys = acrossPages ? keys.filter((key) => !pageKeys.has(key)) : []
  return [...otherKeys, ...next, ...parents.map((row) => itemKeyOf(rowKey, row))]
}
