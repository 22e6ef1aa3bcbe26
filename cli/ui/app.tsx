import { Box, Text } from 'ink'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Cli } from '../cli.ts'
import { failureOf } from '../errors.ts'
import { Boundary } from './boundary.tsx'
import { screenFormat } from './format.ts'
import { Keyboard, type KeySource, LAYER, type Press, useKeys } from './keys.tsx'
import { digitsOf, SCREENS } from './screens.ts'
import { Tabs } from './tabs.tsx'
import {
  type Gateway,
  type Message,
  PACE,
  type Question,
  type ScreenStart,
  UiContext,
  type UiState,
  type Work,
} from './ui-context.ts'
import { type Size, useSize } from './use-size.ts'

const COLUMNS_MIN = 40
const ROWS_MIN = 10
/** Update interval of times such as `3s ago`. */
const CLOCK_MS = 2000

interface Props {
  cli: Cli
  opened: Gateway
  /** Opens the same gateway again with the current session. */
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

/** The screens that the actor may open, one at a time, and their shared state. */
function Screens(props: Props) {
  const desk = useMadeDesk(props)
  const { columns, rows, question, help, screens, tooSmall, at, visit, go } = desk
  useKeys(LAYER.program, ({ name }) => {
    if (name === 'q') desk.leave()
    else if (name === '?') desk.showHelp(true)
    else if (name === ':') desk.showCommand(true)
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
  // This layer gets every key last.
  useKeys(LAYER.always, ({ name }) => {
    desk.silence()
    if (name === 'ctrl-c') desk.leave(true)
    return name === 'ctrl-c'
  })
  // While the UI is hidden, keys must not reach it.
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
    <UiContext.Provider value={desk}>
      {tooSmall && (
        <Text>
          {desk.say`This terminal is too small: ${COLUMNS_MIN} × ${ROWS_MIN} are needed, it has ${tooSmall.columns} × ${tooSmall.rows}.`}
        </Text>
      )}
      {/* Hidden instead of unmounted, so that forms keep their input. */}
      <Box flexDirection="column" width={columns} height={rows} display={tooSmall ? 'none' : 'flex'}>
        <Tabs screens={screens} at={at} />
        <Boundary key={`${digit} ${visit}`} title={desk.text(title)}>
          <Screen />
        </Boundary>
      </Box>
    </UiContext.Provider>
  )
}

/** Only `y` confirms. */
function answered({ name }: Press, desk: MadeDesk): boolean {
  const { question } = desk
  desk.drop()
  if (name === 'y' || name === 'Y') question?.then()
  return true
}

interface MadeDesk extends UiState {
  /** Index of the open screen in `screens`. */
  at: number
  /** Changes each time a screen is opened. */
  visit: number
  /** Opens a screen by index; returns false below 0. */
  go(to: number): boolean
  /** Size of the terminal if it is too small. */
  tooSmall: Size | undefined
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
  const [commanding, setCommanding] = useState(false)
  const [view, setView] = useState<View>({ at: 0, visit: 0, start: {} })
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

  const open = (to: number, start: ScreenStart = {}) => {
    if (to < 0) return false
    const at = to % screens.length
    // Keeps the state of the open screen, unless it is opened with start values.
    setView((before) =>
      before.at === at && Object.keys(start).length === 0 ? before : { at, visit: before.visit + 1, start },
    )
    return true
  }

  return {
    at: Math.min(view.at, screens.length - 1),
    visit: view.visit,
    start: view.start,
    go: open,
    openScreen: (name, start) =>
      open(
        screens.findIndex((screen) => screen.name === name),
        start,
      ),
    commanding,
    showCommand: setCommanding,
    toolkit,
    actor,
    language,
    say,
    text,
    translated,
    format,
    inCurrency: display.inCurrency,
    quotaPerUnit: display.quotaPerUnit,
    // Hidden screens are laid out too, so use at least the minimum size.
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

interface View {
  at: number
  visit: number
  start: ScreenStart
}

/** Current time in seconds, updated every `everyMs`. */
function useClock(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now() / 1000)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now() / 1000), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
