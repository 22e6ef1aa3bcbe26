import { Text } from 'ink'
import { displayWidth } from '../output/display-width.ts'
import type { EditedLine } from './line-editor.ts'

/** The visible part of a line, with the caret. */
export function LineView({ line, width }: { line: EditedLine; width: number }) {
  const characters = [...line.text]
  let from = 0
  // Keeps the caret visible at the end of long text.
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
