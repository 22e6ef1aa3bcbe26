import { Box, Text } from 'ink'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Cli } from '../cli.ts'
import { failureOf } from '../errors.ts'
import { Boundary } from './boundary.tsx'
import { type Desk, DeskContext, type Gateway, type Message, PACE, type Question, type Work } from './desk.ts'
import { screenFormat } from './format.ts'
import { Keyboard, type KeySource, LAYER, type Press, useKeys } from './keys.tsx'
import { digitsOf, SCREENS, type ScreenEntry } from './screens.ts'
import { Tabs } from './tabs.tsx'
import { type Size, useSize } from './use-size.ts'

const COLUMNS_MIN = 40
const ROWS_MIN = 10
/** How often times such as `3s ago` are told anew. */
const CLOCK_MS = 2000

interface Props {
  cli: Cli
  opened: Gateway
  /** The same gateway, as whoever is signed in now. */
  again(): Promise<Gateway>
  color: boolean
  keys: KeySource
  leave(interrupted: boolean): void
}

export function App(props: Props) {
  return (
    <Keyboard keys={props.keys}>
      <Screens {...props} />
    </Keyboard>
  )
}

/** The screens that the actor may see, one at a time, and what they share. */
function Screens(props: Props) {
  const desk = useMadeDesk(props)
  const { columns, rows, question, help, screens, tooSmall } = desk
  const [chosen, setAt] = useState(0)
  const at = Math.min(chosen, screens.length - 1)

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
  // What is hidden is not answered and not changed.
  useKeys(
    LAYER.hidden,
    ({ name }) => {
      if (name === 'q') desk.leave()
      return name !== 'ctrl-c'
    },
    { active: tooSmall !== undefined },
  )

  const screen = screens[at]
  if (!screen) return null
  const { Screen, title, digit } = screen
  return (
    <DeskContext.Provider value={desk}>
      {tooSmall && (
        <Text>
          {desk.say`This terminal is too small: ${COLUMNS_MIN} × ${ROWS_MIN} are needed, it has ${tooSmall.columns} × ${tooSmall.rows}.`}
        </Text>
      )}
      {/* It stays as it is while it is hidden: a form keeps what was written. */}
      <Box flexDirection="column" width={columns} height={rows} display={tooSmall ? 'none' : 'flex'}>
        <Tabs screens={screens} at={at} />
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
  screens: readonly ScreenEntry[]
  /** How small the terminal is, when that is too small. */
  tooSmall: Size | undefined
  showHelp(shown: boolean): void
  silence(): void
  drop(): void
}

function useMadeDesk({ cli, opened, again, color, leave }: Props): MadeDesk {
  const size = useSize()
  const [gateway, setGateway] = useState(opened)
  const { toolkit, actor, display, remote } = gateway
  const screens = useMemo(() => SCREENS.filter(({ role }) => actor.role >= role), [actor.role])
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
    // What is hidden is laid out too.
    columns: Math.max(size.columns, COLUMNS_MIN),
    rows: Math.max(size.rows, ROWS_MIN),
    tooSmall: size.columns < COLUMNS_MIN || size.rows < ROWS_MIN ? size : undefined,
    screens,
    digits: digitsOf(screens),
    color,
    pace: remote ? PACE.remote : PACE.local,
    gateway: gateway.name,
    message,
    question,
    help,
    reason,
    act,
    tell: useCallback((said: string, tone) => setMessage({ text: said, tone }), []),
    ask: useCallback((asked: string, then) => setQuestion({ text: asked, then }), []),
    signInAgain: useCallback(() => {
      again().then(setGateway, (error: unknown) => setMessage({ text: reason(error), tone: 'bad' }))
    }, [again, reason]),
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
