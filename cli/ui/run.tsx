import { render } from 'ink'
import type { Cli } from '../cli.ts'
import { EXIT } from '../errors.ts'
import { App } from './app.tsx'
import { createLeaving, type Outside, OutsideContext } from './outside.ts'
import { takeTerminal } from './terminal.ts'

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const

/**
 * Shows the screens until somebody leaves, and gives the terminal back on every way out. Answers the exit code; throws what a
 * part of the program threw that no screen could show.
 */
export async function runScreens(cli: Cli): Promise<number> {
  const { toolkit, actor } = await cli.open()
  const [backing, display, color] = await Promise.all([cli.backing(), toolkit.display(), cli.color()])
  const remote = backing.kind === 'remote'
  const gateway = remote ? backing.server.url : cli.say`database on this machine`
  const ending = whenToEnd()
  const terminal = takeTerminal(cli)
  const leaving = createLeaving()
  const outside = {
    leaving: leaving.signal,
    finish: leaving.finish,
    edit: (text: string) => terminal.lend(() => editedOutside(cli, text)),
  } satisfies Outside
  const leave = (interrupted: boolean) => ending.end(interrupted ? EXIT.interrupted : EXIT.ok)
  // Each of Ink's pictures comes whole (`debug`), for the painter to find out what has changed.
  const picture = render(
    <OutsideContext.Provider value={outside}>
      <App {...{ cli, toolkit, actor, display, remote, gateway, color, leave }} />
    </OutsideContext.Provider>,
    {
      stdout: terminal.canvas,
      stdin: cli.stdin as NodeJS.ReadStream,
      debug: true,
      exitOnCtrlC: false,
      patchConsole: false,
    },
  )
  try {
    return await Promise.race([ending.ended, picture.waitUntilExit().then(() => EXIT.ok)])
  } finally {
    picture.unmount()
    terminal.restore()
    for (const line of await leaving.end()) cli.note(line)
    ending.forget()
  }
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
