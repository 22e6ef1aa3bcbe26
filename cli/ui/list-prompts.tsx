import { Box, Text } from 'ink'
import { useEffect, useRef, useState } from 'react'
import { displayWidth } from '../output/display-width.ts'
import { LAYER, useKeys } from './keys.tsx'
import { edited, editedLineOf } from './line-editor.ts'
import { LineView } from './line-view.tsx'
import { useUi } from './ui-context.ts'

/** A one-line input opened by a key of a list. */
export interface ListInput {
  label: string
  initial: string
  onEnter(text: string): void
}

export function InputPrompt({ input, onClose }: { input: ListInput; onClose(): void }) {
  return (
    <Prompt
      label={input.label}
      initial={input.initial}
      onEnter={(text) => {
        onClose()
        input.onEnter(text.trim())
      }}
      onEscape={onClose}
    />
  )
}

interface FilterProps {
  label: string
  initial: string
  onFilter(words: string): void
  onClose(): void
}

/** Filters the list while the user types; Esc restores the previous search. */
export function FilterPrompt({ label, initial, onFilter, onClose }: FilterProps) {
  const { intervals } = useUi()
  const before = useRef(initial)
  const timer = useRef<NodeJS.Timeout>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const end = (words: string) => {
    clearTimeout(timer.current)
    onFilter(words)
    onClose()
  }
  return (
    <Prompt
      label={label}
      initial={initial}
      onChange={(text) => {
        clearTimeout(timer.current)
        timer.current = setTimeout(() => onFilter(text.trim()), intervals.typing)
      }}
      onEnter={(text) => end(text.trim())}
      onEscape={() => end(before.current)}
    />
  )
}

interface PromptProps {
  label: string
  initial: string
  onChange?: (text: string) => void
  onEnter(text: string): void
  onEscape(): void
}

/** A one-line input in place of the message. */
function Prompt({ label, initial, onChange, onEnter, onEscape }: PromptProps) {
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
