import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStableHandlers } from '../stable-handlers.ts'
import { type TableColumn, widthOf } from './column.ts'
import { childrenOf, type ItemKey, itemKeyOf, itemsOf, type RowKey, type TableItem } from './row-items.ts'
import { type CheckState, checkStateOf, type Selection, withChecked } from './selection.ts'
import type { Sorting } from './sorting.ts'
import { TableHead } from './table-head.tsx'
import { useTableKeys } from './table-keys.ts'
import { TableRow } from './table-row.tsx'

export interface GridProps<Row> {
  title: string
  rowKey: RowKey<Row>
  columns: readonly TableColumn<Row>[]
  rows: readonly Row[]
  selection?: Selection | undefined
  /** Content shown below an expanded row. */
  expandedRowRender?: ((row: Row) => ReactNode) | undefined
  /** Label of the button that expands a row. */
  expandLabel?: ((row: Row) => string) | undefined
  rowClassName?: ((row: Row) => string) | undefined
  onOpen?: ((row: Row) => void) | undefined
  empty: ReactNode
}

interface Frame {
  /** The element that contains the whole list, with its filters. */
  frame: RefObject<HTMLElement | null>
  /** The scroll container. */
  scroll: HTMLElement | null
  sorting: Sorting | undefined
  cards: boolean
  /** True while the rows are from the previous page or filter. */
  stale: boolean
}

const CHECK_PX = 40
const EXPAND_PX = 36
/** Maximum number of lines to render completely. Longer tables render only the visible lines. */
const ALL_RENDERED_MAX = 30
const ROW_PX = 45
const CARD_PX = 190

/** Returns the width in pixels of the checkbox and expand columns. */
export function controlsWidthOf({ selection, hasExpand }: { selection: boolean; hasExpand: boolean }): number {
  return (selection ? CHECK_PX : 0) + (hasExpand ? EXPAND_PX : 0)
}

export function TableGrid<Row>(props: GridProps<Row> & Frame) {
  const { rowKey, columns, rows, selection, sorting, expandedRowRender, expandLabel, rowClassName } = props
  const { t } = useTranslation()
  const { expanded, onExpand } = useExpanded()
  const items = useMemo(
    () => itemsOf(rows, { rowKey, expanded, details: expandedRowRender !== undefined }),
    [rows, rowKey, expanded, expandedRowRender],
  )
  const hasExpand = expandedRowRender !== undefined || rows.some(childrenOf)
  const checkedKeys = useMemo(() => new Set(selection?.keys), [selection?.keys])
  const canOpen = props.onOpen !== undefined || expandedRowRender !== undefined
  const setChecked = (changed: readonly Row[], on: boolean) =>
    selection?.onChange(withChecked(selection, { rows, changed, on, rowKey }))
  const handlers = useStableHandlers({
    onTick: (row: Row, on: boolean) => setChecked([row], on),
    onExpand,
    onOpen: (row: Row) => (props.onOpen ? props.onOpen(row) : onExpand(itemKeyOf(rowKey, row))),
  })
  const { visibleItems, above, below, virtualizer } = useVisibleItems(items, props)
  useRowKeys(items, { ...props, checkedKeys, handlers, canOpen, scrollTo: (index) => virtualizer.scrollToIndex(index) })

  const span = columns.length + (selection ? 1 : 0) + (hasExpand ? 1 : 0)
  const width = columns.reduce(
    (sum, column) => sum + widthOf(column),
    controlsWidthOf({ selection: !!selection, hasExpand }),
  )
  return (
    <table aria-rowcount={items.length + 1} className="table-grid" style={props.cards ? {} : { minWidth: width }}>
      {!props.cards && <Widths columns={columns} selection={!!selection} hasExpand={hasExpand} />}
      <TableHead
        columns={columns}
        sorting={sorting}
        hasExpand={hasExpand}
        checkState={selection && combinedState(rows.map((row) => checkStateOf(row, checkedKeys, rowKey)))}
        onTickAll={(on) => setChecked(rows, on)}
      />
      <tbody inert={props.stale} className={props.stale ? 'table-stale' : ''}>
        {above > 0 && <Spacer height={above} span={span} />}
        {visibleItems.map(({ item, index }) =>
          item.kind === 'details' ? (
            <tr key={item.key} data-index={index} ref={virtualizer.measureElement} className="table-details">
              <td colSpan={span}>{expandedRowRender?.(item.row)}</td>
            </tr>
          ) : (
            <TableRow<Row>
              key={item.key}
              row={item.row}
              rowKey={item.key}
              place={item.place}
              number={item.number}
              index={index + 1}
              columns={columns}
              className={rowClassName?.(item.row) ?? ''}
              checkState={selection && checkStateOf(item.row, checkedKeys, rowKey)}
              expanded={expandedRowRender || childrenOf(item.row) ? expanded.has(item.key) && !item.parent : undefined}
              hasExpand={hasExpand}
              expandLabel={expandLabel?.(item.row) ?? t('table.rowDetails', { row: item.number })}
              canOpen={canOpen}
              handlers={handlers}
            />
          ),
        )}
        {below > 0 && <Spacer height={below} span={span} />}
        {items.length === 0 && (
          <tr className="table-none">
            <td colSpan={span}>
              <div className="data-table-empty">{props.empty}</div>
            </td>
          </tr>
        )}
      </tbody>
    </table>
  )
}

function useExpanded() {
  const [expanded, setExpanded] = useState<ReadonlySet<ItemKey>>(new Set())
  const onExpand = (key: ItemKey) =>
    setExpanded((before) => {
      const next = new Set(before)
      if (!next.delete(key)) next.add(key)
      return next
    })
  return { expanded, onExpand }
}

/** Returns the lines to render, and the total heights in pixels of the lines above and below. */
function useVisibleItems<Row>(items: readonly TableItem<Row>[], { scroll, cards }: Frame) {
  const isLong = items.length > ALL_RENDERED_MAX && !cards
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll,
    estimateSize: () => (cards ? CARD_PX : ROW_PX),
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 8,
    enabled: isLong,
    useFlushSync: false,
  })
  const lines = virtualizer.getVirtualItems()
  if (!isLong) return { visibleItems: items.map((item, index) => ({ item, index })), above: 0, below: 0, virtualizer }
  return {
    visibleItems: lines.flatMap(({ index }) => {
      const item = items[index]
      return item ? [{ item, index }] : []
    }),
    above: lines[0]?.start ?? 0,
    below: virtualizer.getTotalSize() - (lines.at(-1)?.end ?? 0),
    virtualizer,
  }
}

interface Keys<Row> extends Frame {
  checkedKeys: ReadonlySet<ItemKey>
  selection?: Selection | undefined
  rowKey: RowKey<Row>
  canOpen: boolean
  handlers: { onTick: (row: Row, on: boolean) => void; onOpen: (row: Row) => void }
  scrollTo: (index: number) => void
}

function useRowKeys<Row>(items: readonly TableItem<Row>[], keys: Keys<Row>): void {
  const { frame, stale, checkedKeys, selection, rowKey, canOpen, handlers, scrollTo } = keys
  const itemOf = (key: string) => items.find((item) => item.kind === 'row' && String(item.key) === key)
  useTableKeys(frame, {
    keys: stale ? [] : items.map(({ key }) => String(key)),
    scrollTo,
    onOpen: (key) => {
      const item = itemOf(key)
      if (item && canOpen) handlers.onOpen(item.row)
    },
    onTick: (key) => {
      const item = itemOf(key)
      if (item && selection) handlers.onTick(item.row, checkStateOf(item.row, checkedKeys, rowKey) !== 'all')
    },
  })
}

function combinedState(states: readonly CheckState[]): CheckState {
  if (states.length > 0 && states.every((state) => state === 'all')) return 'all'
  return states.every((state) => state === 'none') ? 'none' : 'some'
}

/** Placeholder for lines that are not rendered. */
function Spacer({ height, span }: { height: number; span: number }) {
  return (
    <tr className="table-room">
      <td colSpan={span} style={{ height, padding: 0, border: 0 }} />
    </tr>
  )
}

interface WidthsProps<Row> {
  columns: readonly TableColumn<Row>[]
  selection: boolean
  hasExpand: boolean
}

function Widths<Row>({ columns, selection, hasExpand }: WidthsProps<Row>) {
  return (
    <colgroup>
      {selection && <col style={{ width: CHECK_PX }} />}
      {hasExpand && <col style={{ width: EXPAND_PX }} />}
      {columns.map((column) => (
        <col key={column.key} style={column.grow ? {} : { width: widthOf(column) }} />
      ))}
    </colgroup>
  )
}
