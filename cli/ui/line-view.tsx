import { Text } from 'ink'
import { displayWidth } from '../output/display-width.ts'
import type { EditedLine } from './line-editor.ts'

/** The visible part of a line, with the caret. */
export function LineView({ line, width }: { line: EditedLine; width: number }) {
  const characters = [...line.text]
  let from = 0
  // Scrolls so that the caret is visible at the end of a long text.
  while (displayWidth(characters.slice(from, line.at).join('')) > width - 2 && from < line.at) from += 1
  const caretCharacter = characters[line.at] ?? ' '
  let after = ''
  let usedWidth = displayWidth(characters.slice(from, line.at).join('') + caretCharacter)
  for (const character of characters.slice(line.at + 1)) {
    usedWidth += displayWidth(character)
    if (usedWidth > width) break
    after += character
  }
  return (
    <Text wrap="truncate-end">
      {characters.slice(from, line.at).join('')}
      <Text inverse>{caretCharacter}</Text>
      {after}
    </Text>
  )
}
