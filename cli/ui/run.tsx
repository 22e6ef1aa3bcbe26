import { PassThrough } from 'node:stream'
import { render } from 'ink'
import type { Cli } from '../cli.ts'
import { EXIT } from '../errors.ts'
import { App } from './app.tsx'
import type { Gateway } from './desk.ts'
import { createLeaving, type Outside, OutsideContext } from './outside.ts'
import type { Terminal } from './terminal.ts'

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const

/**
 * Shows the screens until somebody leaves, and gives the terminal back. Answers the exit code; throws what a part of the program
 * threw that no screen could show.
 */
export async function runScreens(cli: Cli, terminal: Terminal): Promise<number> {
  const ending = whenToEnd()
  const leave = (interrupted: boolean) => ending.end(interrupted ? EXIT.interrupted : EXIT.ok)
  // Until there is a screen that takes keys: what is asked first may hang.
  terminal.onKeys((presses) => {
    for (const { name } of presses) if (name === 'q' || name === 'ctrl-c') leave(name === 'ctrl-c')
  })
  const leaving = createLeaving()
  const outside = {
    leaving: leaving.signal,
    finish: leaving.finish,
    edit: (text: string) => terminal.lend(() => editedOutside(cli, text)),
  } satisfies Outside
  let unmount = () => {}
  let gone = false

  async function show(): Promise<number> {
    const [opened, color] = await Promise.all([openGateway(cli), cli.color()])
    if (gone) return EXIT.ok
    const again = () => openGateway(cli, { again: true })
    const app = (
      <OutsideContext.Provider value={outside}>
        <App {...{ cli, opened, again, color, leave, keys: terminal.onKeys }} />
      </OutsideContext.Provider>
    )
    const picture = render(app, {
      stdout: terminal.canvas,
      // Keys come from the terminal itself: Ink throws at sequences that it does not know.
      stdin: new PassThrough() as unknown as NodeJS.ReadStream,
      // Each of Ink's pictures comes whole, for the painter to find out what has changed.
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
    gone = true
    unmount()
    terminal.restore()
    for (const line of await leaving.end()) cli.note(line)
    ending.forget()
  }
}

/** `again`: by what `tollgate login` has stored meanwhile. */
async function openGateway(cli: Cli, { again = false } = {}): Promise<Gateway> {
  // What is known of a visitor is not remembered from before.
  const backing = await cli.backing(again ? { visitor: true } : {})
  const remote = backing.kind === 'remote'
  const { toolkit, actor } =
    remote && again ? await (await import('../remote/open.ts')).openRemote({ cli, backing }) : await cli.open()
  const name = remote ? backing.server.url : cli.say`database on this machine`
  return { toolkit, actor, display: await toolkit.display(), remote, name }
}

/** Editors end the last line; a value that had no such end gets none. */
async function editedOutside(cli: Cli, before: string): Promise<string> {
  const { editText } = await import('../editor.ts')
  const { text, discard } = await editText(cli, { name: 'value.txt', text: before, alone: true })
  await discard()
  return before.endsWith('\n') ? text : text.replace(/\r?\n$/, '')
}

/** Signals, and errors that nobody caught, end the screens as a key does. */
function whenToEnd() {
  let end: (code: number) => void = () => {}
  let fail: (error: unknown) => void = () => {}
  const ended = new Promise<number>((resolve, reject) => {
    end = resolve
    fail = reject
  })
  const names = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]
  const heard = (name: NodeJS.Signals) => end(128 + SIGNALS[name as keyof typeof SIGNALS])
  const failed = (error: unknown) => fail(error)
  for (const name of names) process.on(name, heard)
  process.on('uncaughtException', failed)
  process.on('unhandledRejection', failed)
  return {
    ended,
    end,
    forget() {
      for (const name of names) process.off(name, heard)
      process.off('uncaughtException', failed)
      process.off('unhandledRejection', failed)
    },
  }
}
