import { Spinner } from '@inkjs/ui'
import { Box, Text } from 'ink'
import type { ReactNode } from 'react'
import { cutTo, displayWidth } from '../display-width.ts'
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
  return (
    <Box flexDirection="column">
      <Title title={title} note={note} />
      <Box flexDirection="column" height={height} overflow="hidden">
        {desk.help ? <Help title={title} bindings={bindings} width={width} height={height} /> : children}
      </Box>
      <Box height={1}>{desk.question ? <Asked /> : prompt || <Said error={error} />}</Box>
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

function Asked() {
  const { question, say } = useDesk()
  return (
    <Text bold inverse wrap="truncate-end">
      {` ${printable(question?.text ?? '')} ${say`y yes, n no`} `}
    </Text>
  )
}

function Said({ error }: { error: unknown }) {
  const { message, color, reason, text, columns } = useDesk()
  if (message?.busy) return <Spinner label={cutTo(printable(message.text), columns - 3)} />
  if (message) {
    return (
      <Text wrap="truncate-end" {...paint(message.tone, color)}>
        {` ${printable(message.text)}`}
      </Text>
    )
  }
  if (error === undefined) return <Text> </Text>
  return (
    <Text wrap="truncate-end" bold {...paint('bad', color)}>
      {` ${cutTo(`${text('trying again')}: ${printable(reason(error))}`, columns - 2)}`}
    </Text>
  )
}

type KeyText = Pick<Binding, 'shown' | 'label'>

/** As many keys as have room; all of them stand in the help. */
function Keys({ bindings, alone }: { bindings: readonly Binding[]; alone: boolean }) {
  const { columns, text, question } = useDesk()
  const fixed = alone
    ? []
    : [
        { shown: '?', label: text('help') },
        { shown: 'q', label: text('quit') },
      ]
  const own = question ? [] : bindings.filter(({ quiet }) => !quiet)
  const widthOf = (each: KeyText) => displayWidth(`${each.shown} ${each.label}`)
  const width = (keys: readonly KeyText[], gap: number) =>
    1 + keys.reduce((sum, each) => sum + widthOf(each) + gap, -gap)
  // Close together before any is left out.
  const gap = width([...own, ...fixed], 2) <= columns ? 2 : 1
  const room: KeyText[] = [...own]
  while (room.length > 0 && width([...room, ...fixed], gap) > columns) room.pop()
  return (
    <Text wrap="truncate-end">
      {[...room, ...fixed].map(({ shown, label }) => (
        <Text key={shown}>
          <Text bold>{` ${shown}`}</Text>
          <Text dimColor>{` ${label}${' '.repeat(gap - 1)}`}</Text>
        </Text>
      ))}
    </Text>
  )
}
