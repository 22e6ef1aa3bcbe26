import { Box, Text } from 'ink'
import { useMemo, useRef } from 'react'
import type { Column } from '../output/column.ts'
import { cutTo, displayWidth } from '../output/display-width.ts'
import { GAP } from '../output/fit.ts'
import { type FittedCell, type FittedColumn, fitTable } from './fit.ts'
import { paint, useUi } from './ui-context.ts'
import type { RowOrder } from './use-window.ts'

/** Character before the cursor's row, which is visible without colors. */
const MARKER = '▌'
/** Character before a row that is marked for bulk changes. */
const MARKED = '✓'

interface Props<T> {
  rows: readonly T[]
  columns: readonly Column<T>[]
  /** Index of the first row in the whole list, from 0. */
  first?: number
  /** Index of the cursor's row in the whole list; undefined for a read-only list. */
  cursor?: number
  isMarked?: (row: T) => boolean
  /** Current sort column. */
  order?: RowOrder<T> | undefined
  /** Number of lines, with the titles. */
  height: number
  width: number
}

/** Rows under their titles, scrolled to the cursor. */
export function Rows<T>({ rows, columns, first = 0, cursor, isMarked, order, height, width }: Props<T>) {
  const { format } = useUi()
  const top = useRef(0)
  const table = useMemo(
    () => fitTable(rows, columns, { width: width - 1, format, order }),
    [rows, columns, width, format, order],
  )
  const visible = Math.max(1, height - 1)
  const at = cursor ?? 0
  // Scroll position in the whole list, so that rows do not move when other pages load.
  top.current = Math.max(0, Math.min(top.current, at, first + rows.length - visible))
  if (at >= top.current + visible) top.current = at - visible + 1
  const from = Math.max(0, top.current - first)
  return (
    <Box flexDirection="column" height={height} overflow="hidden">
      <Text wrap="truncate-end" bold>
        {` ${line(table.columns.map(({ title }, i) => fitCell(title.toUpperCase(), table.columns[i])))}`}
      </Text>
      {table.cells.slice(from, from + visible).map((cells, i) => (
        <Row
          // biome-ignore lint/suspicious/noArrayIndexKey: each element is a line of the terminal, not a row
          key={i}
          cells={cells}
          columns={table.columns}
          selected={first + from + i === cursor}
          marked={isMarked !== undefined && rows[from + i] !== undefined && isMarked(rows[from + i] as T)}
          width={width}
        />
      ))}
    </Box>
  )
}

interface RowProps {
  cells: readonly FittedCell[]
  columns: readonly FittedColumn[]
  selected: boolean
  marked: boolean
  width: number
}

function Row({ cells, columns, selected, marked, width }: RowProps) {
  const { color } = useUi()
  const texts = cells.map(({ text }, i) => fitCell(text, columns[i]))
  if (selected) {
    const rowText = line(texts)
    return (
      <Text wrap="truncate-end" inverse>
        {`${marked ? MARKED : MARKER}${rowText}${' '.repeat(Math.max(0, width - 1 - displayWidth(rowText)))}`}
      </Text>
    )
  }
  return (
    <Text wrap="truncate-end">
      {cells.map(({ tone }, i) => {
        const before = i > 0 ? ' '.repeat(GAP) : marked ? MARKED : ' '
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name than their place.
          <Text key={i} {...paint(tone, color)}>{`${before}${texts[i]}`}</Text>
        )
      })}
    </Text>
  )
}

const line = (texts: readonly string[]) => texts.join(' '.repeat(GAP))

function fitCell(text: string, column: FittedColumn | undefined): string {
  if (!column) return text
  const shortText = cutTo(text, column.width)
  const padding = ' '.repeat(Math.max(0, column.width - displayWidth(shortText)))
  return column.align === 'right' ? padding + shortText : shortText + padding
}
