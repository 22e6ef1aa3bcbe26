import { render } from 'ink'
import type { Cli } from '../cli.ts'
import { EXIT } from '../errors.ts'
import { App } from './app.tsx'
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
  const leave = (interrupted: boolean) => ending.end(interrupted ? EXIT.interrupted : EXIT.ok)
  // Each of Ink's pictures comes whole (`debug`), for the painter to find out what has changed.
  const picture = render(<App {...{ cli, toolkit, actor, display, remote, gateway, color, leave }} />, {
    stdout: terminal.canvas,
    stdin: cli.stdin as NodeJS.ReadStream,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  })
  try {
    return await Promise.race([ending.ended, picture.waitUntilExit().then(() => EXIT.ok)])
  } finally {
    picture.unmount()
    terminal.restore()
    ending.forget()
  }
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
