import { Text } from 'ink'
import { useState } from 'react'
import { type Column, type Tone, titleOf } from '../output/column.ts'
import { displayWidth, wrapTo } from '../output/display-width.ts'
import { sanitizeName } from '../output/sanitize.ts'
import { type KeyBinding, moveBindings, runBinding } from './bindings.ts'
import { recordFormat } from './format.ts'
import { Frame, useBody } from './frame.tsx'
import { LAYER, useKeys } from './keys.tsx'
import { paint, useUi } from './ui-context.ts'

/** A line of text. */
export interface SheetLine {
  title?: string
  text: string
  tone?: Tone | undefined
}

interface Props {
  title: string
  lines: readonly SheetLine[]
  error?: unknown
  /** Additional keys besides scrolling and closing. */
  bindings?: readonly KeyBinding[]
  onClose(): void
}

/** Scroll position of the end, also after lines are added. */
const END = Number.POSITIVE_INFINITY

/** A scrollable text over a list. Esc closes the text. */
export function Sheet({ title, lines, error, bindings = [], onClose }: Props) {
  const { t, color } = useUi()
  const { width, height } = useBody()
  const [top, setTop] = useState(0)
  const titleWidth = Math.max(0, ...lines.map((each) => displayWidth(each.title ?? ''))) + 3
  const drawnLines = lines.flatMap(({ title: name = '', text: whole, tone }) =>
    wrapTo(whole, Math.max(10, width - titleWidth - 1)).map((part, at) => ({
      name: ` ${at === 0 ? name : ''}`.padEnd(titleWidth - (at === 0 ? displayWidth(name) - name.length : 0)),
      part,
      tone,
    })),
  )
  const last = Math.max(0, drawnLines.length - height)
  const firstLine = Math.min(top, last)
  const moveTo = (to: number) => setTop(to === END ? END : Math.min(last, Math.max(0, to)))
  const allBindings: readonly KeyBinding[] = [
    { keys: ['escape', 'enter', 'backspace'], shown: 'Esc', label: t('ui.back'), run: onClose },
    ...bindings,
    ...moveBindings(t, { at: firstLine, height, last: END, moveTo }),
  ]
  useKeys(LAYER.over, (press) => runBinding(allBindings, press))
  return (
    <Frame
      title={title}
      note={last > 0 ? `${firstLine + 1}–${firstLine + height}/${drawnLines.length}` : undefined}
      bindings={allBindings}
      error={error}
    >
      {drawnLines.slice(firstLine, firstLine + height).map(({ name, part, tone }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: each element is one line of the terminal.
        <Text key={at} wrap="truncate-end">
          <Text dimColor>{name}</Text>
          <Text {...paint(tone, color)}>{part}</Text>
        </Text>
      ))}
    </Frame>
  )
}

/** Returns a function that formats a record as lines, one for each column. */
export function useRecordLines() {
  const { format, inCurrency } = useUi()
  const whole = recordFormat(format, inCurrency)
  return <T,>(row: T, columns: readonly Column<T>[]): SheetLine[] =>
    columns.map((column) => ({
      title: titleOf(column, format),
      text: sanitizeName(column.value(row, whole)),
      tone: column.tone?.(row),
    }))
}

export const BLANK: SheetLine = { text: ' ' }
