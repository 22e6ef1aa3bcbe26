import { Box, Text } from 'ink'
import { useState } from 'react'
import { displayWidth } from '../display-width.ts'
import { useDesk } from './desk.ts'
import { LAYER, useKeys } from './keys.tsx'
import { edited, lineOf } from './line-editor.ts'
import { LineView } from './line-view.tsx'

interface Props {
  label: string
  initial: string
  onEnter(text: string): void
  onEscape(): void
}

/** One line to write into, where messages stand otherwise. */
export function Prompt({ label, initial, onEnter, onEscape }: Props) {
  const { columns } = useDesk()
  const [line, setLine] = useState(() => lineOf(initial))
  useKeys(
    LAYER.over,
    (press) => {
      if (press.name === 'enter') onEnter(line.text)
      else if (press.name === 'escape') onEscape()
      else setLine(edited(line, press) ?? line)
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
