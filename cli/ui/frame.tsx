import { Spinner } from '@inkjs/ui'
import { Box, Text } from 'ink'
import type { ReactNode } from 'react'
import type { Tone } from '../column.ts'
import { cutTo, displayWidth, wrapped, wrapTo } from '../display-width.ts'
import { isSignedOut } from '../errors.ts'
import { printable } from '../printable.ts'
import type { Binding } from './bindings.ts'
import { paint, useDesk } from './desk.ts'
import { Help } from './help.tsx'

/** Lines that are not a screen's own: the tabs above it, its title, the message and the keys. */
const LINES_AROUND = 4

/** What a screen may fill. */
export function useBody(): { width: number; height: number } {
  const { columns, rows } = useDesk()
  return { width: columns, height: Math.max(1, rows - LINES_AROUND) }
}

interface Props {
  title: string
  /** Beside the title: how many there are, what they are filtered by. */
  note?: string | undefined
  bindings: readonly Binding[]
  error?: unknown
  /** Instead of the message: a line to write into. */
  prompt?: ReactNode
  /** Nothing but these keys works: `?` and `q` are letters there. */
  alone?: true
  children: ReactNode
}

/** What is the same on every screen: title, room for its picture, what there is to say, and the keys. */
export function Frame({ title, note, bindings, error, prompt, alone, children }: Props) {
  const desk = useDesk()
  const { width, height } = useBody()
  const said = useSaid(error)
  // What is said in several lines hides the last ones above it.
  const more = prompt && !desk.question ? 0 : said.lines.length - 1
  return (
    <Box flexDirection="column">
      <Title title={title} note={note} />
      <Box flexDirection="column" height={Math.max(1, height - more)} overflow="hidden">
        {desk.help ? <Help title={title} bindings={bindings} width={width} height={height} /> : children}
      </Box>
      <Box flexDirection="column" height={1 + more}>
        {(!desk.question && prompt) || <Said {...said} />}
      </Box>
      <Keys bindings={bindings} alone={alone === true} />
    </Box>
  )
}

function Title({ title, note }: { title: string; note: string | undefined }) {
  const { columns, gateway } = useDesk()
  const left = `── ${title}${note ? ` · ${printable(note)}` : ''} `
  const right = ` ${printable(gateway)} ──`
  const between = columns - displayWidth(left) - displayWidth(right)
  const whole =
    between >= 0 ? left + '─'.repeat(between) + right : left + '─'.repeat(Math.max(0, columns - displayWidth(left)))
  return (
    <Text dimColor wrap="truncate-end">
      {whole}
    </Text>
  )
}

interface Saying {
  lines: readonly string[]
  tone?: Tone | undefined
  bold?: boolean
  /** A question: it has to be seen. */
  inverse?: boolean
  busy?: boolean
}

/** Lines that a message may take; beside it something of the screen must be seen. */
const SAID_LINES_MAX = 4

/** What is on the lines above the keys: a question, else how something went, else what is wrong with the screen. */
function useSaid(error: unknown): Saying {
  const { message, question, reason, text, say, columns } = useDesk()
  const within = (whole: string, last = '') => linesOf(printable(whole), { width: columns - 2, last })
  if (question) {
    return { lines: within(question.text, say`y yes, n no`), bold: true, inverse: true }
  }
  if (message?.busy) return { lines: [cutTo(printable(message.text), columns - 3)], busy: true }
  if (message) return { lines: within(message.text), tone: message.tone }
  if (error === undefined) return { lines: [''] }
  const why = isSignedOut(error)
    ? `${reason(error)} (${text('r tries again')})`
    : `${text('trying again')}: ${reason(error)}`
  return { lines: within(why), tone: 'bad', bold: true }
}

/** Lines of that width, not too many; `last` is always among them, at the end. */
function linesOf(whole: string, { width, last }: { width: number; last: string }): string[] {
  const room = SAID_LINES_MAX * width - displayWidth(last) - 1
  const fitting = (text: string) =>
    wrapped(`${text} ${last}`, width).flatMap((line) => (displayWidth(line) > width ? wrapTo(line, width) : line))
  for (let length = room; length > 0; length -= width) {
    const lines = fitting(cutTo(whole, length))
    if (lines.length <= SAID_LINES_MAX) return lines
  }
  return [last]
}

function Said({ lines, tone, bold = false, inverse = false, busy = false }: Saying) {
  const { color } = useDesk()
  if (busy) return <Spinner label={lines[0] ?? ''} />
  return lines.map((line) => (
    <Text key={line} wrap="truncate-end" bold={bold} inverse={inverse} {...paint(tone, color)}>
      {` ${line} `}
    </Text>
  ))
}

type KeyText = Pick<Binding, 'shown' | 'label'>

/** As many keys as have room; all of them stand in the help. */
function Keys({ bindings, alone }: { bindings: readonly Binding[]; alone: boolean }) {
  const { columns, text, question } = useDesk()
  const fixedWith = (help: string) =>
    alone
      ? []
      : [
          { shown: '?', label: help },
          { shown: 'q', label: text('quit') },
        ]
  const own = question ? [] : bindings.filter(({ quiet }) => !quiet)
  const widthOf = (each: KeyText) => displayWidth(`${each.shown} ${each.label}`)
  const width = (keys: readonly KeyText[], gap: number) =>
    1 + keys.reduce((sum, each) => sum + widthOf(each) + gap, -gap)
  // Close together before any is left out.
  const gap = width([...own, ...fixedWith(text('help'))], 2) <= columns ? 2 : 1
  const room: KeyText[] = [...own]
  const fixed = () => fixedWith(room.length < own.length ? text('more') : text('help'))
  while (room.length > 0 && width([...room, ...fixed()], gap) > columns) room.pop()
  return (
    <Text wrap="truncate-end">
      {[...room, ...fixed()].map(({ shown, label }) => (
        <Text key={shown}>
          <Text bold>{` ${shown}`}</Text>
          <Text dimColor>{` ${label}${' '.repeat(gap - 1)}`}</Text>
        </Text>
      ))}
    </Text>
  )
}
