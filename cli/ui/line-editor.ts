import type { Press } from './keys.tsx'

/** An input line. `at`: number of characters before the caret. */
export interface EditedLine {
  text: string
  at: number
}

export const editedLineOf = (text: string): EditedLine => ({ text, at: [...text].length })

/** Returns the line after an editing key; undefined for other keys. `lines`: whether pasted line breaks are kept. */
export function edited(
  line: EditedLine,
  { name, text: written, pasted }: Press,
  { lines = false }: { lines?: boolean | undefined } = {},
): EditedLine | undefined {
  const text = lines && pasted !== undefined ? pasted.replace(/\r\n?/g, '\n') : written
  const characters = [...line.text]
  const { at } = line
  const lineFrom = (before: readonly string[], after: readonly string[]) => ({
    text: [...before, ...after].join(''),
    at: before.length,
  })
  if (text) return lineFrom([...characters.slice(0, at), ...text], characters.slice(at))
  switch (name) {
    case 'backspace':
      return lineFrom(characters.slice(0, Math.max(0, at - 1)), characters.slice(at))
    case 'ctrl-d':
      return lineFrom(characters.slice(0, at), characters.slice(at + 1))
    case 'ctrl-u':
      return lineFrom([], characters.slice(at))
    case 'ctrl-k':
      return lineFrom(characters.slice(0, at), [])
    case 'left':
      return { ...line, at: Math.max(0, at - 1) }
    case 'right':
      return { ...line, at: Math.min(characters.length, at + 1) }
    case 'home':
    case 'ctrl-a':
      return { ...line, at: 0 }
    case 'end':
    case 'ctrl-e':
      return { ...line, at: characters.length }
    default:
      return undefined
  }
}
