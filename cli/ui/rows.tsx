import { Box, Text } from 'ink'
import { useMemo, useRef } from 'react'
import type { Column } from '../column.ts'
import { cutTo, displayWidth } from '../display-width.ts'
import { GAP } from '../fit.ts'
import { paint, useDesk } from './desk.ts'
import { type Cell, type FittedColumn, fitTable } from './fit.ts'

/** Beside the row that the cursor is on: it must be seen without colours too. */
const MARKER = '▌'

interface Props<T> {
  rows: readonly T[]
  columns: readonly Column<T>[]
  /** The row the keys are for; none in a list that is only looked at. */
  cursor?: number
  /** Lines, the titles included. */
  height: number
  width: number
}

/** Rows under their titles, scrolled so that the cursor is seen. */
export function Rows<T>({ rows, columns, cursor, height, width }: Props<T>) {
  const { format } = useDesk()
  const top = useRef(0)
  const table = useMemo(() => fitTable(rows, columns, { width: width - 1, format }), [rows, columns, width, format])
  const visible = Math.max(1, height - 1)
  const at = cursor ?? 0
  top.current = Math.max(0, Math.min(top.current, at, rows.length - visible))
  if (at >= top.current + visible) top.current = at - visible + 1
  const from = top.current
  return (
    <Box flexDirection="column" height={height} overflow="hidden">
      <Text wrap="truncate-end" bold>
        {` ${line(table.columns.map(({ title }, i) => fitted(title.toUpperCase(), table.columns[i])))}`}
      </Text>
      {table.cells.slice(from, from + visible).map((cells, i) => (
        <Row
          // biome-ignore lint/suspicious/noArrayIndexKey: a line of the terminal is what is drawn, whatever row it shows.
          key={i}
          cells={cells}
          columns={table.columns}
          selected={from + i === cursor}
          width={width}
        />
      ))}
    </Box>
  )
}

function Row(props: { cells: readonly Cell[]; columns: readonly FittedColumn[]; selected: boolean; width: number }) {
  const { cells, columns, selected, width } = props
  const { color } = useDesk()
  const texts = cells.map(({ text }, i) => fitted(text, columns[i]))
  if (selected) {
    const whole = line(texts)
    return (
      <Text wrap="truncate-end" inverse>
        {`${MARKER}${whole}${' '.repeat(Math.max(0, width - 1 - displayWidth(whole)))}`}
      </Text>
    )
  }
  return (
    <Text wrap="truncate-end">
      {cells.map(({ tone }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name than their place.
        <Text key={i} {...paint(tone, color)}>{`${i === 0 ? ' ' : ' '.repeat(GAP)}${texts[i]}`}</Text>
      ))}
    </Text>
  )
}

const line = (texts: readonly string[]) => texts.join(' '.repeat(GAP))

function fitted(text: string, column: FittedColumn | undefined): string {
  if (!column) return text
  const cut = cutTo(text, column.width)
  const blank = ' '.repeat(Math.max(0, column.width - displayWidth(cut)))
  return column.align === 'right' ? blank + cut : cut + blank
}
