import { Box, Text } from 'ink'
import { cutTo, displayWidth } from '../output/display-width.ts'
import { sanitizeName } from '../output/sanitize.ts'
import { type FormField, matching } from './fields.ts'
import type { EditedLine } from './line-editor.ts'
import { LineView } from './line-view.tsx'
import { paint, useUi } from './ui-context.ts'

interface Props {
  field: FormField
  line: EditedLine
  focused: boolean
  /** Whether the field has an error. The messages are below all fields. */
  faulty: boolean
  /** Text typed to find a choice. */
  typed: string
  labelWidth: number
  width: number
}

/** Part of the line for the value. The rest of the line shows the hint. */
const VALUE_FRACTION = 0.6

/** One field: label, value and hint. */
export function FieldLine({ field, line, focused, faulty, typed, labelWidth, width }: Props) {
  const { color } = useUi()
  const room = width - labelWidth - 1
  const hint = focused ? hintOf(field, line.text, typed) : ''
  const valueWidth = hint ? Math.max(12, Math.floor(room * VALUE_FRACTION)) : room
  const padding = ' '.repeat(Math.max(0, labelWidth - 3 - displayWidth(field.label)))
  return (
    <Box>
      <Text bold={focused} {...paint(faulty ? 'bad' : undefined, color)}>
        {`${faulty ? '✗' : ' '}${focused ? '▸' : ' '} ${field.label}${padding}`}
      </Text>
      <Box width={valueWidth}>
        <Value field={field} line={line} focused={focused} width={valueWidth - 1} />
      </Box>
      <Text wrap="truncate-end" dimColor>
        {cutTo(sanitizeName(hint), room - valueWidth)}
      </Text>
    </Box>
  )
}

function Value({ field, line, focused, width }: Pick<Props, 'field' | 'line' | 'focused'> & { width: number }) {
  if (field.kind === 'choice') {
    const label = sanitizeName(field.choices.find(({ value }) => value === line.text)?.label ?? line.text)
    return <Text wrap="truncate-end">{focused ? `‹ ${label} ›` : label}</Text>
  }
  const secret = field.kind === 'secret'
  const glyphs = [...line.text].map((character) => glyphOf(character, secret)).join('')
  if (focused) return <LineView line={{ ...line, text: glyphs }} width={width} />
  return <Text wrap="truncate-end">{cutTo(glyphs, width)}</Text>
}

/** Returns exactly one glyph for a character, so that the caret position is correct. */
function glyphOf(character: string, secret: boolean): string {
  if (character === '\n') return '⏎'
  if (secret) return '•'
  return /\p{Cc}/u.test(character) ? '�' : character
}

function hintOf(field: FormField, value: string, typed: string): string {
  if (field.kind === 'choice') {
    const matches = matching(field.choices, typed)
    const at = matches.findIndex((each) => each.value === value) + 1
    return `${typed ? `${typed}… ` : ''}${at}/${matches.length}`
  }
  return typeof field.hint === 'function' ? field.hint(value) : (field.hint ?? '')
}
