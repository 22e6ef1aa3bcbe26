import { Box, Text, useStdout } from 'ink'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Cli } from '../cli.ts'
import { failureOf } from '../errors.ts'
import { ScreenBoundary } from './boundary.tsx'
import { screenFormat } from './format.ts'
import { Keyboard, type KeySource, LAYER, type Press, useKeys } from './keys.tsx'
import { digitsOf, TERMINAL_SCREENS } from './screens.ts'
import { Tabs } from './tabs.tsx'
import {
  PACE,
  type PendingQuestion,
  type ScreenStart,
  UiContext,
  type UiGateway,
  type UiMessage,
  type UiState,
  type Work,
} from './ui-context.ts'

const COLUMNS_MIN = 40
const ROWS_MIN = 10
/** Update interval of times such as `3s ago`. */
const CLOCK_MS = 2000

interface Props {
  cli: Cli
  opened: UiGateway
  /** Opens the same gateway again with the current session. */
  reopen(): Promise<UiGateway>
  color: boolean
  keys: KeySource
  exit(interrupted: boolean): void
}

export function TerminalApp(props: Props) {
  return (
    <Keyboard keys={props.keys}>
      <Screens {...props} />
    </Keyboard>
  )
}

/** The screens that the actor may open, one at a time, and their shared state. */
function Screens(props: Props) {
  const ui = useUiState(props)
  const { columns, rows, question, help, screens, tooSmall, at, visit, go } = ui
  useKeys(LAYER.program, ({ name }) => {
    if (name === 'q') ui.exit()
    else if (name === '?') ui.showHelp(true)
    else if (name === ':') ui.showCommand(true)
    else if (name === 'tab' || name === 'right') go(at + 1)
    else if (name === 'shift-tab' || name === 'left') go(at - 1 + screens.length)
    else return go(screens.findIndex(({ digit }) => digit === name))
    return true
  })
  useKeys(LAYER.question, (press) => answerQuestion(press, ui), { active: question !== undefined })
  useKeys(
    LAYER.question,
    () => {
      ui.showHelp(false)
      return true
    },
    { active: help && question === undefined },
  )
  // This layer gets each key before screens and questions do, and accepts only Ctrl-C.
  useKeys(LAYER.always, ({ name }) => {
    ui.clearMessage()
    if (name === 'ctrl-c') ui.exit(true)
    return name === 'ctrl-c'
  })
  // While the UI is hidden, keys must not reach it.
  useKeys(
    LAYER.hidden,
    ({ name }) => {
      if (name === 'q') ui.exit()
      return name !== 'ctrl-c'
    },
    { active: tooSmall !== undefined },
  )

  const screen = screens[at]
  if (!screen) return null
  const { Screen, title, digit } = screen
  return (
    <UiContext.Provider value={ui}>
      {tooSmall && (
        <Text>
          {ui.t('ui.thisTerminalIsTooSmall', {
            columnsMin: COLUMNS_MIN,
            rowsMin: ROWS_MIN,
            columns: tooSmall.columns,
            rows: tooSmall.rows,
          })}
        </Text>
      )}
      {/* Hidden instead of unmounted, so that forms keep their input. */}
      <Box flexDirection="column" width={columns} height={rows} display={tooSmall ? 'none' : 'flex'}>
        <Tabs screens={screens} at={at} />
        <ScreenBoundary key={`${digit} ${visit}`} title={ui.t(title)}>
          <Screen />
        </ScreenBoundary>
      </Box>
    </UiContext.Provider>
  )
}

/** Closes the question. Only the key `y` runs the action. */
function answerQuestion({ name }: Press, ui: ProgramState): boolean {
  const { question } = ui
  ui.closeQuestion()
  if (name === 'y' || name === 'Y') question?.then()
  return true
}

interface ProgramState extends UiState {
  /** Index of the open screen in `screens`. */
  at: number
  /** Changes each time a screen is opened. */
  visit: number
  /** Opens a screen by index, modulo the number of screens. Returns false for an index below 0. */
  go(to: number): boolean
  /** Size of the terminal if it is too small. */
  tooSmall: Size | undefined
  clearMessage(): void
  closeQuestion(): void
}

function useUiState({ cli, opened, reopen, color, exit }: Props): ProgramState {
  const size = useSize()
  const [gateway, setGateway] = useState(opened)
  const { toolkit, actor, display, remote } = gateway
  const screens = useMemo(() => TERMINAL_SCREENS.filter(({ role }) => actor.role >= role), [actor.role])
  const [message, setMessage] = useState<UiMessage>()
  const [question, setQuestion] = useState<PendingQuestion>()
  const [help, setHelp] = useState(false)
  const [isCommandLineOpen, setCommandLineOpen] = useState(false)
  const [view, setView] = useState<View>({ at: 0, visit: 0, start: {} })
  const now = useClock(CLOCK_MS)
  const busy = useRef(false)
  const { language, t, textOf, label, title } = cli
  const format = useMemo(() => screenFormat({ display, texts: cli, now }), [display, cli, now])
  const reason = useCallback((error: unknown) => failureOf(error, cli).message, [cli])

  const run = useCallback(
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
    // An open screen keeps its state, unless it is opened again with start values.
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
    isCommandLineOpen,
    showCommand: setCommandLineOpen,
    toolkit,
    actor,
    language,
    t,
    textOf,
    label,
    title,
    format,
    inCurrency: display.inCurrency,
    quotaPerUnit: display.quotaPerUnit,
    // Hidden screens are laid out too, so the size is at least the minimum.
    columns: Math.max(size.columns, COLUMNS_MIN),
    rows: Math.max(size.rows, ROWS_MIN),
    tooSmall: size.columns < COLUMNS_MIN || size.rows < ROWS_MIN ? size : undefined,
    screens,
    digits: digitsOf(screens),
    color,
    intervals: remote ? PACE.remote : PACE.local,
    gateway: gateway.name,
    message,
    question,
    help,
    reason,
    run,
    notify: useCallback((text: string, tone) => setMessage({ text, tone }), []),
    confirm: useCallback((text: string, then) => setQuestion({ text, then }), []),
    signInAgain: useCallback(() => {
      reopen().then(setGateway, (error: unknown) => setMessage({ text: reason(error), tone: 'bad' }))
    }, [reopen, reason]),
    exit: useCallback((interrupted = false) => exit(interrupted), [exit]),
    showHelp: setHelp,
    clearMessage: () => setMessage((message) => (message?.busy ? message : undefined)),
    closeQuestion: () => setQuestion(undefined),
  }
}

interface Size {
  columns: number
  rows: number
}

/** Returns the current size of the terminal. */
function useSize(): Size {
  const { stdout } = useStdout()
  const read = (): Size => ({ columns: stdout.columns, rows: stdout.rows })
  const [size, setSize] = useState(read)
  useEffect(() => {
    const onResize = () => setSize({ columns: stdout.columns, rows: stdout.rows })
    stdout.on('resize', onResize)
    return () => void stdout.off('resize', onResize)
  }, [stdout])
  return size
}

interface View {
  at: number
  visit: number
  start: ScreenStart
}

/** Returns the current time in unix seconds, updated every `everyMs` milliseconds. */
function useClock(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now() / 1000)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now() / 1000), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
