import { Text } from 'ink'
import { displayWidth } from '../display-width.ts'
import type { Line } from './line-editor.ts'

/** The part of a line that has room, with the caret in it. */
export function LineView({ line, width }: { line: Line; width: number }) {
  const characters = [...line.text]
  let from = 0
  // The end of what is written is seen while it is written.
  while (displayWidth(characters.slice(from, line.at).join('')) > width - 2 && from < line.at) from += 1
  const under = characters[line.at] ?? ' '
  let after = ''
  let taken = displayWidth(characters.slice(from, line.at).join('') + under)
  for (const character of characters.slice(line.at + 1)) {
    taken += displayWidth(character)
    if (taken > width) break
    after += character
  }
  return (
    <Text wrap="truncate-end">
      {characters.slice(from, line.at).join('')}
      <Text inverse>{under}</Text>
      {after}
    </Text>
  )
}
