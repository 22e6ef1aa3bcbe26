import { EventEmitter } from 'node:events'
import type { ReadStream } from 'node:tty'
import type { Input, Output } from '../io.ts'
import { createKeyReader, type Press } from './key-reader.ts'
import { createPainter } from './painter.ts'

const CLEAR = '\u001b[2J'
const ENTER = `\u001b[?1049h\u001b[?25l\u001b[?2004h${CLEAR}`
const LEAVE = '\u001b[?2004l\u001b[?25h\u001b[?1049l'
const HELD_MAX = 100
/** The rest of a sequence arrives within this time; otherwise the key was Esc. */
const ESCAPE_MS = 30

export type KeyTaker = (presses: readonly Press[]) => void

export interface Terminal {
  /** Output for Ink; each write is a complete frame. */
  readonly canvas: NodeJS.WriteStream
  /** Sends the keys of each read to `take`. Returns a function that restores the previous receiver. */
  onKeys(take: KeyTaker): () => void
  /** Copies text to the terminal's clipboard, also over SSH. */
  copy(text: string): void
  /** Restores the terminal and prints held output. May be called repeatedly. */
  restore(): void
  /** Restores the terminal while the work runs, such as an editor. */
  lend<T>(work: () => Promise<T>): Promise<T>
}

/** Takes over a terminal: alternate screen, no cursor. Holds the output of other code until it is restored. */
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
  const takers: KeyTaker[] = []
  const startReading = () => readKeys(stdin, (presses) => takers.at(-1)?.(presses))
  let stopReading = startReading()
  let taken = true

  function restore(): void {
    if (!taken) return
    taken = false
    painter.stop()
    stdout.off('resize', resized)
    process.off('exit', restore)
    stopReading()
    write(LEAVE)
    release()
  }

  async function lend<T>(work: () => Promise<T>): Promise<T> {
    lent = true
    painter.stop()
    stopReading()
    write(LEAVE)
    try {
      return await work()
    } finally {
      lent = false
      if (taken) {
        stopReading = startReading()
        write(ENTER)
        painter.forget()
        painter.show(last)
      }
    }
  }
  process.on('exit', restore)
  return {
    canvas: canvas as unknown as NodeJS.WriteStream,
    onKeys(take) {
      takers.push(take)
      return () => void takers.splice(takers.indexOf(take), 1)
    },
    copy: (text) => void write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`),
    restore,
    lend,
  }
}

/** Reads keys in raw mode without echo. Returns a function that stops it. */
function readKeys(stdin: Input, take: KeyTaker): () => void {
  const reader = createKeyReader()
  let timer: NodeJS.Timeout | undefined
  const heard = (chunk: Buffer | string) => {
    clearTimeout(timer)
    take(reader.read(String(chunk)))
    if (reader.waits) timer = setTimeout(() => take(reader.flush()), ESCAPE_MS)
  }
  if (isTerminal(stdin)) stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stdin.on('data', heard)
  // The previous reader has paused it.
  stdin.resume()
  return () => {
    clearTimeout(timer)
    stdin.off('data', heard)
    stdin.pause()
    if (isTerminal(stdin)) stdin.setRawMode(false)
  }
}

/** Holds output, such as warnings of a library, until the returned function is called. */
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
    for (const resume of held) resume()
  }
}

function isTerminal(stream: Input): stream is ReadStream {
  return 'setRawMode' in stream && stream.isTTY === true
}
