import { Box, Text } from 'ink'
import { type ReactNode, useEffect, useState } from 'react'
import { isSignedOut } from '../errors.ts'
import type { Tone } from '../output/column.ts'
import { cutTo, displayWidth, wrapped, wrapTo } from '../output/display-width.ts'
import { sanitizeName } from '../output/sanitize.ts'
import type { KeyBinding } from './bindings.ts'
import { CommandLine } from './command-line.tsx'
import { Help } from './help.tsx'
import { paint, useUi } from './ui-context.ts'

/** Number of lines outside the body: tabs, title, message and keys. */
const LINES_AROUND = 4

/** Size of a screen's body. */
export function useBody(): { width: number; height: number } {
  const { columns, rows } = useUi()
  return { width: columns, height: Math.max(1, rows - LINES_AROUND) }
}

interface Props {
  title: string
  /** Text beside the title: count and filters. */
  note?: string | undefined
  bindings: readonly KeyBinding[]
  error?: unknown
  /** Input line in place of the message. */
  prompt?: ReactNode
  /** True if only these keys are active. `?` and `q` are then typed letters. */
  alone?: true
  children: ReactNode
}

/** Layout of every screen: title, body, message and keys. */
export function Frame({ title, note, bindings, error, prompt: screenPrompt, alone, children }: Props) {
  const ui = useUi()
  const prompt = ui.isCommandLineOpen ? <CommandLine /> : screenPrompt
  const { width, height } = useBody()
  const errorText = useErrorText(error)
  // A message of several lines covers the last lines of the body.
  const more = prompt && !ui.question ? 0 : errorText.lines.length - 1
  return (
    <Box flexDirection="column">
      <Title title={title} note={note} />
      <Box flexDirection="column" height={Math.max(1, height - more)} overflow="hidden">
        {ui.help ? <Help title={title} bindings={bindings} width={width} height={height} /> : children}
      </Box>
      <Box flexDirection="column" height={1 + more}>
        {(!ui.question && prompt) || <MessageView {...errorText} />}
      </Box>
      <Keys bindings={bindings} alone={alone === true} />
    </Box>
  )
}

function Title({ title, note }: { title: string; note: string | undefined }) {
  const { columns, gateway } = useUi()
  const left = `── ${title}${note ? ` · ${sanitizeName(note)}` : ''} `
  const right = ` ${sanitizeName(gateway)} ──`
  const between = columns - displayWidth(left) - displayWidth(right)
  const whole =
    between >= 0 ? left + '─'.repeat(between) + right : left + '─'.repeat(Math.max(0, columns - displayWidth(left)))
  return (
    <Text dimColor wrap="truncate-end">
      {whole}
    </Text>
  )
}

interface MessageLines {
  lines: readonly string[]
  tone?: Tone | undefined
  bold?: boolean
  /** Highlights a question. */
  inverse?: boolean
  busy?: boolean
}

/** Maximum lines of a message, so that the body stays visible. */
const MESSAGE_LINES_MAX = 4

/** Returns the text above the keys: a question, else a message, else the screen's error. */
function useErrorText(error: unknown): MessageLines {
  const { message, question, reason, t, columns } = useUi()
  const wrapMessage = (whole: string, last = '') => linesOf(sanitizeName(whole), { width: columns - 2, last })
  if (question) return { lines: wrapMessage(question.text, t('ui.yYes')), bold: true, inverse: true }
  if (message?.busy) return { lines: [cutTo(sanitizeName(message.text), columns - 3)], busy: true }
  if (message) return { lines: wrapMessage(message.text), tone: message.tone }
  if (error === undefined) return { lines: [''] }
  const text = isSignedOut(error)
    ? `${reason(error)} (${t('ui.pressRToRetry')})`
    : `${t('ui.retrying')}: ${reason(error)}`
  return { lines: wrapMessage(text), tone: 'bad', bold: true }
}

/** Wraps a text to a limited number of lines. `last` is always included at the end. */
function linesOf(whole: string, { width, last }: { width: number; last: string }): string[] {
  const room = MESSAGE_LINES_MAX * width - displayWidth(last) - 1
  const fitting = (text: string) =>
    wrapped(`${text} ${last}`, width).flatMap((line) => (displayWidth(line) > width ? wrapTo(line, width) : line))
  for (let length = room; length > 0; length -= width) {
    const lines = fitting(cutTo(whole, length))
    if (lines.length <= MESSAGE_LINES_MAX) return lines
  }
  return [last]
}

function MessageView({ lines, tone, bold = false, inverse = false, busy = false }: MessageLines) {
  const { color } = useUi()
  if (busy) return <Working text={lines[0] ?? ''} />
  return lines.map((line) => (
    <Text key={line} wrap="truncate-end" bold={bold} inverse={inverse} {...paint(tone, color)}>
      {` ${line} `}
    </Text>
  ))
}

type KeyText = Pick<KeyBinding, 'shown' | 'label'>

/** Shows as many keys as fit. The help lists all keys. */
function Keys({ bindings, alone }: { bindings: readonly KeyBinding[]; alone: boolean }) {
  const { columns, t, question } = useUi()
  const globalKeysWith = (help: string) =>
    alone
      ? []
      : [
          { shown: '?', label: help },
          { shown: 'q', label: t('ui.quit') },
        ]
  const visible = question ? [] : bindings.filter(({ quiet }) => !quiet)
  const widthOf = (each: KeyText) => displayWidth(`${each.shown} ${each.label}`)
  const width = (keys: readonly KeyText[], gap: number) =>
    1 + keys.reduce((sum, each) => sum + widthOf(each) + gap, -gap)
  // Gaps are reduced before keys are omitted.
  const gap = width([...visible, ...globalKeysWith(t('ui.help'))], 2) <= columns ? 2 : 1
  const room: KeyText[] = [...visible]
  const fixed = () => globalKeysWith(room.length < visible.length ? t('ui.more') : t('ui.help'))
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

const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
const FRAME_MS = 80

/** A text behind a spinner. */
function Working({ text }: { text: string }) {
  const { color } = useUi()
  const [place, setPlace] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setPlace((before) => (before + 1) % SPINNER.length), FRAME_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <Text>
      <Text {...(color && { color: 'blue' })}>{SPINNER[place]}</Text> {text}
    </Text>
  )
}
