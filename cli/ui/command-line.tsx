import { Box, Text } from 'ink'
import { useState } from 'react'
import { cutTo, displayWidth } from '../output/display-width.ts'
import { completions, runCommand } from './commands.ts'
import { LAYER, useKeys } from './keys.tsx'
import { edited, editedLineOf } from './line-editor.ts'
import { LineView } from './line-view.tsx'
import { useUi } from './ui-context.ts'

/** Part of the line for the typed text. The rest of the line shows completions. */
const TYPED_FRACTION = 0.5

/** The `:` command line with completions; Tab completes, Enter runs. */
export function CommandLine() {
  const ui = useUi()
  const { columns, color } = ui
  const [line, setLine] = useState(() => editedLineOf(''))
  const [fault, setFault] = useState('')
  const offered = completions(line.text, ui)

  useKeys(
    LAYER.command,
    (press) => {
      const { name } = press
      const firstOffer = offered[0]
      if (name === 'escape' || (name === 'backspace' && line.text === '')) ui.showCommand(false)
      else if (name === 'tab') {
        const prefix = commonPrefix(offered)
        if (prefix.length > line.text.length) setLine(editedLineOf(prefix))
        else if (firstOffer !== undefined) setLine(editedLineOf(firstOffer))
      } else if (name === 'enter') {
        const errorMessage = runCommand(line.text, ui)
        if (errorMessage === undefined) ui.showCommand(false)
        else setFault(errorMessage)
      } else {
        const next = edited(line, press)
        if (next) setLine(next)
        setFault('')
      }
      return true
    },
    { text: true },
  )

  const width = Math.max(10, Math.floor(columns * TYPED_FRACTION))
  const hint = fault || offered.map((each) => each.slice(each.lastIndexOf(' ') + 1)).join(' ')
  return (
    <Box>
      <Text bold>{' :'}</Text>
      <Box width={Math.min(width, Math.max(8, displayWidth(line.text) + 2))}>
        <LineView line={line} width={width - 1} />
      </Box>
      <Text wrap="truncate-end" {...(fault ? (color ? { color: 'red' } : {}) : { dimColor: true })}>
        {cutTo(` ${hint}`, columns - 3 - Math.min(width, Math.max(8, displayWidth(line.text) + 2)))}
      </Text>
    </Box>
  )
}

/** Returns the longest common prefix. */
function commonPrefix(words: readonly string[]): string {
  const [first = ''] = words
  let length = first.length
  for (const word of words) while (!word.startsWith(first.slice(0, length))) length -= 1
  return first.slice(0, length)
}
