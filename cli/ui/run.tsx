import { render } from 'ink'
import type { Cli } from '../cli.ts'
import { EXIT } from '../errors.ts'
import { TerminalApp } from './app.tsx'
import { type AppLifecycle, AppLifecycleContext, createLeaving } from './app-lifecycle.ts'
import type { Terminal } from './terminal.ts'
import type { UiGateway } from './ui-context.ts'

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const

/**
 * Shows the screens until the user exits, and restores the terminal. Returns the exit code; throws errors that no
 * screen could show.
 */
export async function runScreens(cli: Cli, terminal: Terminal): Promise<number> {
  const ending = listenForEnd()
  const exit = (interrupted: boolean) => ending.end(interrupted ? EXIT.interrupted : EXIT.ok)
  // Handles `q` and Ctrl-C until the screens handle these keys, because the first calls may hang.
  terminal.onKeys((presses) => {
    for (const { name } of presses) if (name === 'q' || name === 'ctrl-c') exit(name === 'ctrl-c')
  })
  const leaving = createLeaving()
  const lifecycle = {
    leaving: leaving.signal,
    finish: leaving.finish,
    edit: (text: string) => terminal.lend(() => editInEditor(cli, text)),
    copy: terminal.copy,
  } satisfies AppLifecycle
  let unmount = () => {}
  let isEnded = false

  async function show(): Promise<number> {
    const [opened, color] = await Promise.all([openGateway(cli), cli.color()])
    if (isEnded) return EXIT.ok
    const reopen = () => openGateway(cli, { again: true })
    const app = (
      <AppLifecycleContext.Provider value={lifecycle}>
        <TerminalApp {...{ cli, opened, reopen, color, exit, keys: terminal.onKeys }} />
      </AppLifecycleContext.Provider>
    )
    const picture = render(app, {
      stdout: terminal.canvas,
      // Makes Ink write complete frames, which the painter compares.
      debug: true,
      exitOnCtrlC: false,
      patchConsole: false,
    })
    unmount = () => picture.unmount()
    return picture.waitUntilExit().then(() => EXIT.ok)
  }

  try {
    return await Promise.race([ending.ended, show()])
  } finally {
    isEnded = true
    unmount()
    terminal.restore()
    for (const line of await leaving.end()) cli.note(line)
    ending.forget()
  }
}

/** Opens the target gateway. `again`: uses the session that `tollgate login` has stored meanwhile. */
async function openGateway(cli: Cli, { again = false } = {}): Promise<UiGateway> {
  // `anonymous` bypasses the cached target.
  const target = await cli.target(again ? { anonymous: true } : {})
  const remote = target.kind === 'remote'
  const { toolkit, actor } =
    remote && again ? await (await import('../remote/open.ts')).openRemote({ cli, target }) : await cli.open()
  const name = remote ? target.server.url : cli.t('ui.databaseOnThisMachine')
  return { toolkit, actor, display: await toolkit.display(), remote, name }
}

/**
 * Opens a value in the editor. Returns the new value without the final newline that editors add, unless the old value
 * had one.
 */
async function editInEditor(cli: Cli, before: string): Promise<string> {
  const { editText } = await import('../input/editor.ts')
  const { text, discard } = await editText(cli, { name: 'value.txt', text: before, isBlocking: true })
  await discard()
  return before.endsWith('\n') ? text : text.replace(/\r?\n$/, '')
}

/** Listens for signals and uncaught errors, which end the screens. */
function listenForEnd() {
  let end: (code: number) => void = () => {}
  let fail: (error: unknown) => void = () => {}
  const ended = new Promise<number>((resolve, reject) => {
    end = resolve
    fail = reject
  })
  const names = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]
  const onSignal = (name: NodeJS.Signals) => end(128 + SIGNALS[name as keyof typeof SIGNALS])
  const onError = (error: unknown) => fail(error)
  for (const name of names) process.on(name, onSignal)
  process.on('uncaughtException', onError)
  process.on('unhandledRejection', onError)
  return {
    ended,
    end,
    forget() {
      for (const name of names) process.off(name, onSignal)
      process.off('uncaughtException', onError)
      process.off('unhandledRejection', onError)
    },
  }
}
