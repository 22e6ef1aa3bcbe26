import { IconMinus, IconPlus } from '@arco-design/web-react/icon'
import { type MouseEvent, memo, type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { TableColumn } from './column.ts'
import type { ItemKey } from './row-items.ts'
import type { CheckState } from './selection.ts'

interface RowHandlers<Row> {
  onTick: (row: Row, on: boolean) => void
  onExpand: (key: ItemKey) => void
  /** Shows the details of the record. */
  onOpen: (row: Row) => void
}

interface Props<Row> {
  row: Row
  rowKey: ItemKey
  place: number
  /** The record's number on the page, such as `2` or `2.1`, for screen readers. */
  number: string
  /** Number of the line, from 1, for screen readers, because not all lines are rendered. */
  index: number
  columns: readonly TableColumn<Row>[]
  className: string
  checkState: CheckState | undefined
  /** Undefined if this row has no details or child records. */
  expanded: boolean | undefined
  hasExpand: boolean
  expandLabel: string
  canOpen: boolean
  handlers: RowHandlers<Row>
}

/** Elements that handle their own clicks. */
const CONTROLS = 'a, button, input, label, select, textarea, [role^="menu"], [role="note"], [role="switch"]'

/** Returns whether a click hit the row itself; false for a click on a control in the row, or if text is selected. */
function isOnRow({ target, currentTarget }: MouseEvent): boolean {
  if (!(target instanceof Element) || !currentTarget.contains(target)) return false
  return target.closest(CONTROLS) === null && getSelection()?.type !== 'Range'
}

function TableRowPlain<Row>({ row, rowKey, index, columns, handlers, canOpen, className, ...state }: Props<Row>) {
  const { checkState, expanded, hasExpand, expandLabel, place, number } = state
  const { t } = useTranslation()
  return (
    <tr
      tabIndex={-1}
      aria-rowindex={index + 1}
      {...(checkState !== undefined && { 'aria-selected': checkState === 'all' })}
      data-row={String(rowKey)}
      data-index={index - 1}
      className={`table-row ${canOpen ? 'table-row-opens' : ''} ${checkState === 'all' ? 'table-row-ticked' : ''} ${className}`}
      onClick={(event) => canOpen && event.detail < 2 && isOnRow(event) && handlers.onOpen(row)}
    >
      {checkState !== undefined && (
        <td className="table-check">
          <Tick
            checkState={checkState}
            label={t('table.selectRow', { row: number })}
            onChange={(on) => handlers.onTick(row, on)}
          />
        </td>
      )}
      {hasExpand && (
        <td className="table-expand">
          {expanded !== undefined && (
            <button
              type="button"
              aria-expanded={expanded}
              aria-label={expandLabel}
              onClick={() => handlers.onExpand(rowKey)}
            >
              {expanded ? <IconMinus /> : <IconPlus />}
            </button>
          )}
        </td>
      )}
      {cellsOf(columns, row, place).map((cell) => (
        <Cell key={cell.column.key} {...cell} />
      ))}
    </tr>
  )
}

/** Rerenders a row only if its properties have changed, because usually only one of a hundred rows has changed. */
export const TableRow = memo(TableRowPlain) as typeof TableRowPlain

/** Maximum number of characters in a tooltip. */
const HINT_LENGTH_MAX = 300

interface CellProps<Row> {
  column: TableColumn<Row>
  content: ReactNode
  /** Number of columns that the cell covers. */
  span: number
}

function cellsOf<Row>(columns: readonly TableColumn<Row>[], row: Row, place: number): CellProps<Row>[] {
  const cells: CellProps<Row>[] = []
  for (const column of columns) {
    const content = column.render ? column.render(row, place) : column.value?.(row)
    const previousCell = cells.at(-1)
    if (previousCell?.column.spans?.(row) && isEmpty(content)) previousCell.span += 1
    else cells.push({ column, content, span: 1 })
  }
  return cells
}

const isEmpty = (content: ReactNode) => content === '' || content === false || content === null || content === undefined

function Cell<Row>({ column: { title, align, fixed, key }, content, span }: CellProps<Row>) {
  const isText = typeof content === 'string'
  return (
    <td
      colSpan={span}
      data-label={title}
      data-column={key}
      className={`table-cell${align ? ` table-${align}` : ''}${fixed ? ` table-fixed-${fixed}` : ''}`}
    >
      {isEmpty(content) ? null : isText ? (
        <span className="clamp" title={content.slice(0, HINT_LENGTH_MAX)}>
          {content}
        </span>
      ) : (
        content
      )}
    </td>
  )
}

interface TickProps {
  checkState: CheckState
  label: string
  onChange: (on: boolean) => void
}

export function Tick({ checkState, label, onChange }: TickProps) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = checkState === 'some'
  }, [checkState])
  return (
    <label>
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={checkState === 'all'}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  )
}
