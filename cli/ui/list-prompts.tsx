import { useEffect, useRef } from 'react'
import { Prompt } from './prompt.tsx'
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
