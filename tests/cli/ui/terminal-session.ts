import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type IPty, spawn } from '@lydell/node-pty'
import headless from '@xterm/headless'
import { vi } from 'vitest'
import { whenDone } from '../../support/lifetime.ts'
import { BIN } from '../support.ts'

/** A process in a terminal starts slowly on a busy machine. */
vi.setConfig({ testTimeout: 90_000 })
const PATIENCE_MS = 30_000

export const KEY = {
  enter: '\r',
  escape: '\u001b',
  tab: '\t',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  pageDown: '\u001b[6~',
  ctrlC: '\u0003',
  ctrlO: '\u000f',
  ctrlS: '\u0013',
  ctrlU: '\u0015',
} as const

/** As a terminal sends what is pasted. */
export const pasted = (text: string) => `\u001b[200~${text.replaceAll('\n', '\r')}\u001b[201~`

export interface Session {
  /** What the terminal shows, without spaces at the ends of lines. */
  picture(): string
  /** Types, and waits until the picture has all of these. Answers it. */
  press(keys: string, ...expected: (string | RegExp)[]): Promise<string>
  /** Waits until the picture has all of these. Answers it. */
  sees(...expected: (string | RegExp)[]): Promise<string>
  /** Waits until the picture has none of these. */
  misses(...gone: (string | RegExp)[]): Promise<void>
  resize(columns: number, rows: number): void
  /** All that was written to the terminal. */
  output(): string
  /** Sends a signal to the command itself. */
  kill(signal: NodeJS.Signals): void
  /** Waits until the shell around the command has said how it ended and how it left the terminal. */
  left(): Promise<{
    exit: number
    alternate: boolean
    cursor: boolean
    lineMode: boolean
    echo: boolean
    printed: string
  }>
}

interface Options {
  env: Readonly<Record<string, string>>
  folder: string
  words?: readonly string[]
  columns?: number
  rows?: number
}

/** `tollgate ui` in a terminal of its own: a pseudo-terminal, and an emulator that reads what it draws. */
export function openSession({ env, folder, words = [], columns = 80, rows = 24 }: Options): Session {
  const { Terminal } = headless
  const emulator = new Terminal({ cols: columns, rows, allowProposedApi: true })
  const pidFile = join(folder, 'ui.pid')
  const command = [process.execPath, BIN, 'ui', ...words].map((word) => `'${word}'`).join(' ')
  // The shell stays until it is killed: what a pseudo-terminal has not read 0.2 s after the end of its program is lost.
  const script = `sh -c 'echo $$ > "$0"; exec "$@"' '${pidFile}' ${command}; echo "exit $?"; stty -a; echo "the end"; exec sleep 600`
  const pty: IPty = spawn('/bin/sh', ['-c', script], {
    name: 'xterm-256color',
    cols: columns,
    rows,
    cwd: folder,
    env: { ...env, TERM: 'xterm-256color' },
  })
  let output = ''
  const watchers = new Set<() => void>()
  pty.onData((data) => {
    output += data
    emulator.write(data, () => {
      for (const watch of [...watchers]) watch()
    })
  })
  const ended = new Promise<void>((resolve) => pty.onExit(() => resolve()))
  whenDone(async () => {
    pty.kill('SIGKILL')
    await ended
    emulator.dispose()
  })

  function picture(): string {
    const { active } = emulator.buffer
    return Array.from({ length: emulator.rows }, (_, at) =>
      (active.getLine(active.baseY + at)?.translateToString(true) ?? '').trimEnd(),
    )
      .join('\n')
      .trimEnd()
  }

  /** Between pictures, not in the middle of one. */
  const wholePicture = () => output.lastIndexOf('\u001b[?2026l') >= output.lastIndexOf('\u001b[?2026h')

  async function until(state: () => boolean, wanted: () => string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const done = () => {
        clearTimeout(timer)
        watchers.delete(check)
      }
      const check = () => {
        if (!wholePicture() || !state()) return
        done()
        resolve()
      }
      const timer = setTimeout(() => {
        done()
        reject(new Error(`the screen never ${wanted()}:\n${picture()}`))
      }, PATIENCE_MS)
      watchers.add(check)
      check()
    })
  }
  const has = (what: string | RegExp) => (typeof what === 'string' ? picture().includes(what) : what.test(picture()))

  const session: Session = {
    picture,
    output: () => output,
    async sees(...expected) {
      await until(
        () => expected.every(has),
        () => `had ${expected.filter((each) => !has(each)).join(' and ')}`,
      )
      return picture()
    },
    async misses(...gone) {
      await until(
        () => !gone.some(has),
        () => `lost ${gone.filter(has).join(' and ')}`,
      )
    },
    press(keys, ...expected) {
      pty.write(keys)
      return session.sees(...expected)
    },
    resize(toColumns, toRows) {
      emulator.resize(toColumns, toRows)
      pty.resize(toColumns, toRows)
    },
    kill(signal) {
      process.kill(Number(readFileSync(pidFile, 'utf8')), signal)
    },
    async left() {
      await until(
        () => output.includes('the end'),
        () => 'was given back',
      )
      const [, printed = '', exit = ''] = /.*\[\?1049l(.*)exit (\d+)/s.exec(output) ?? []
      return {
        exit: Number(exit),
        alternate: emulator.buffer.active.type === 'alternate',
        cursor: output.lastIndexOf('\u001b[?25h') > output.lastIndexOf('\u001b[?25l'),
        lineMode: /\s icanon|;? icanon/.test(output) && !output.includes('-icanon'),
        echo: / echo /.test(output) && !output.includes('-echo '),
        printed: printed.trim(),
      }
    },
  }
  return session
}

/** The state of a terminal that no program has changed. */
export const GIVEN_BACK = { alternate: false, cursor: true, lineMode: true, echo: true, printed: '' }
