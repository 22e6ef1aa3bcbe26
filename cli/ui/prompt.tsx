import { Box, Text } from 'ink'
import { useState } from 'react'
import { displayWidth } from '../output/display-width.ts'
import { LAYER, useKeys } from './keys.tsx'
import { edited, editedLineOf } from './line-editor.ts'
import { LineView } from './line-view.tsx'
import { useUi } from './ui-context.ts'

interface Props {
  label: string
  initial: string
  onChange?: (text: string) => void
  onEnter(text: string): void
  onEscape(): void
}

/** A one-line input in place of the message. */
export function Prompt({ label, initial, onChange, onEnter, onEscape }: Props) {
  const { columns } = useUi()
  const [line, setLine] = useState(() => editedLineOf(initial))
  useKeys(
    LAYER.over,
    (press) => {
      if (press.name === 'enter') onEnter(line.text)
      else if (press.name === 'escape') onEscape()
      else {
        const next = edited(line, press)
        if (next) setLine(next)
        if (next && next.text !== line.text) onChange?.(next.text)
      }
      return true
    },
    { text: true },
  )
  const before = ` ${label}: `
  return (
    <Box>
      <Text bold>{before}</Text>
      <LineView line={line} width={columns - displayWidth(before) - 1} />
    </Box>
  )
}
