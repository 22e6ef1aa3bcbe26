import { EventEmitter } from 'node:events'
import type { ReadStream } from 'node:tty'
import type { Input, Output } from '../surroundings.ts'
import { createPainter } from './painter.ts'

const CLEAR = '\u001b[2J'
const ENTER = `\u001b[?1049h\u001b[?25l\u001b[?2004h${CLEAR}`
const LEAVE = '\u001b[?2004l\u001b[?25h\u001b[?1049l'
const HELD_MAX = 100

export interface Terminal {
  /** What Ink draws on: each of its writes is a whole picture. */
  readonly canvas: NodeJS.WriteStream
  /** Gives the terminal back as it was, however often it is called. What others printed meanwhile is printed then. */
  restore(): void
  /** Gives it back for as long as the work takes, such as an editor. */
  lend<T>(work: () => Promise<T>): Promise<T>
}

/** Takes a terminal over: its second screen, without a cursor. Nobody else prints on it until it is given back. */
export function takeTerminal({ stdin, stdout, stderr }: { stdin: Input; stdout: Output; stderr: Output }): Terminal {
  const write = stdout.write.bind(stdout) as (text: string) => boolean
  const painter = createPainter({ write, onceDrained: (then) => void stdout.once('drain', then) })
  const canvas = new EventEmitter()
  let last = ''
  let lent = false
  Object.defineProperties(canvas, {
    columns: { get: () => stdout.columns || 80 },
    rows: { get: () => stdout.rows || 24 },
    write: {
      value: (picture: string) => {
        last = picture
        if (!lent) painter.show(picture)
        return true
      },
    },
  })
  const resized = () => {
    painter.forget()
    if (!lent) write(CLEAR)
    canvas.emit('resize')
  }
  write(ENTER)
  stdout.on('resize', resized)
  const release = holdPrints([stdout, stderr])
  let taken = true

  function restore(): void {
    if (!taken) return
    taken = false
    painter.stop()
    stdout.off('resize', resized)
    process.off('exit', restore)
    if (isTerminal(stdin)) stdin.setRawMode(false)
    write(LEAVE)
    release()
  }

  async function lend<T>(work: () => Promise<T>): Promise<T> {
    lent = true
    painter.stop()
    if (isTerminal(stdin)) stdin.setRawMode(false)
    write(LEAVE)
    try {
      return await work()
    } finally {
      lent = false
      if (taken) {
        if (isTerminal(stdin)) stdin.setRawMode(true)
        write(ENTER)
        painter.forget()
        painter.show(last)
      }
    }
  }
  process.on('exit', restore)
  return { canvas: canvas as unknown as NodeJS.WriteStream, restore, lend }
}

/** Keeps what is printed on these, such as the warnings of a library, until it is released. */
function holdPrints(streams: readonly Output[]): () => void {
  const held: (() => void)[] = []
  for (const stream of streams) {
    const write = stream.write
    stream.write = ((...args: Parameters<typeof write>) => {
      if (held.length < HELD_MAX) held.push(() => void write.apply(stream, args))
      return true
    }) as typeof write
    held.push(() => {
      stream.write = write
    })
  }
  return () => {
    for (const act of held) act()
  }
}

function isTerminal(stream: Input): stream is ReadStream {
  return 'setRawMode' in stream && stream.isTTY === true
}
