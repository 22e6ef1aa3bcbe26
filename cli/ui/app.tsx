import { Box, Text } from 'ink'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Actor } from '../../core/actor.ts'
import type { Cli } from '../cli.ts'
import { failureOf } from '../errors.ts'
import type { CommandToolkit, Display } from '../toolkit.ts'
import { Boundary } from './boundary.tsx'
import { type Desk, DeskContext, type Message, PACE, type Question, type Work } from './desk.ts'
import { screenFormat } from './format.ts'
import { Keyboard, LAYER, type Press, useKeys } from './keys.tsx'
import { SCREENS } from './screens.ts'
import { useSize } from './use-size.ts'

const COLUMNS_MIN = 40
const ROWS_MIN = 10
/** How often times such as `3s ago` are told anew. */
const CLOCK_MS = 2000

interface Props {
  cli: Cli
  toolkit: CommandToolkit
  actor: Actor
  display: Display
  remote: boolean
  gateway: string
  color: boolean
  leave(interrupted: boolean): void
}

export function App(props: Props) {
  return (
    <Keyboard>
      <Screens {...props} />
    </Keyboard>
  )
}

/** The screens that the actor may see, one at a time, and what they share. */
function Screens(props: Props) {
  const desk = useMadeDesk(props)
  const screens = useMemo(() => SCREENS.filter(({ role }) => props.actor.role >= role), [props.actor.role])
  const [at, setAt] = useState(0)
  const { columns, rows, question, help } = desk

  const go = (to: number) => {
    if (to >= 0) setAt((to + screens.length) % screens.length)
    return to >= 0
  }
  useKeys(LAYER.program, ({ name }) => {
    if (name === 'q') desk.leave()
    else if (name === '?') desk.showHelp(true)
    else if (name === 'tab' || name === 'right') go(at + 1)
    else if (name === 'shift-tab' || name === 'left') go(at - 1 + screens.length)
    else return go(screens.findIndex(({ digit }) => digit === name))
    return true
  })
  useKeys(LAYER.question, (press) => answered(press, desk), { active: question !== undefined })
  useKeys(
    LAYER.question,
    () => {
      desk.showHelp(false)
      return true
    },
    { active: help && question === undefined },
  )
  // Always the last word, whatever is open.
  useKeys(LAYER.always, ({ name }) => {
    desk.silence()
    if (name === 'ctrl-c') desk.leave(true)
    return name === 'ctrl-c'
  })

  const screen = screens[at]
  if (!screen) return null
  if (columns < COLUMNS_MIN || rows < ROWS_MIN) {
    return <Text>{desk.say`This terminal is too small: ${COLUMNS_MIN} × ${ROWS_MIN} are needed.`}</Text>
  }
  const { Screen, title, digit } = screen
  return (
    <DeskContext.Provider value={desk}>
      <Box flexDirection="column" width={columns} height={rows}>
        <Text wrap="truncate-end">
          {screens.map((each) => (
            <Text key={each.digit} inverse={each === screen} bold={each === screen}>
              {` ${each.digit} ${desk.text(each.title)} `}
            </Text>
          ))}
        </Text>
        <Boundary key={digit} title={desk.text(title)}>
          <Screen />
        </Boundary>
      </Box>
    </DeskContext.Provider>
  )
}

/** `y` alone is a yes. */
function answered({ name }: Press, desk: MadeDesk): boolean {
  const { question } = desk
  desk.drop()
  if (name === 'y' || name === 'Y') question?.then()
  return true
}

interface MadeDesk extends Desk {
  showHelp(shown: boolean): void
  silence(): void
  drop(): void
}

function useMadeDesk({ cli, toolkit, actor, display, remote, gateway, color, leave }: Props): MadeDesk {
  const { columns, rows } = useSize()
  const [message, setMessage] = useState<Message>()
  const [question, setQuestion] = useState<Question>()
  const [help, setHelp] = useState(false)
  const now = useClock(CLOCK_MS)
  const busy = useRef(false)
  const { language, say, text, translated } = cli
  const format = useMemo(() => screenFormat({ display, text, now }), [display, text, now])
  const reason = useCallback((error: unknown) => failureOf(error, language, translated).message, [language, translated])

  const act = useCallback(
    (doing: string, work: Work) => {
      if (busy.current) return
      busy.current = true
      setMessage({ text: doing, busy: true })
      void work()
        .then(
          (done) => setMessage(typeof done === 'string' ? { text: done, tone: 'good' } : done),
          (error: unknown) => setMessage({ text: reason(error), tone: 'bad' }),
        )
        .finally(() => {
          busy.current = false
        })
    },
    [reason],
  )

  return {
    toolkit,
    actor,
    language,
    say,
    text,
    translated,
    format,
    inCurrency: display.inCurrency,
    columns,
    rows,
    color,
    pace: remote ? PACE.remote : PACE.local,
    gateway,
    message,
    question,
    help,
    reason,
    act,
    tell: useCallback((said: string, tone) => setMessage({ text: said, tone }), []),
    ask: useCallback((asked: string, then) => setQuestion({ text: asked, then }), []),
    leave: useCallback((interrupted = false) => leave(interrupted), [leave]),
    showHelp: setHelp,
    silence: () => setMessage((said) => (said?.busy ? said : undefined)),
    drop: () => setQuestion(undefined),
  }
}

/** Seconds, as of the last tick. */
function useClock(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now() / 1000)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now() / 1000), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
