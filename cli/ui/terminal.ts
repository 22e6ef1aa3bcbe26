import { EventEmitter } from 'node:events'
import type { ReadStream } from 'node:tty'
import type { CliIo, Input, OutputStream } from '../io.ts'
import { createKeyReader, type Press } from './key-reader.ts'
import { createPainter } from './painter.ts'

const CLEAR = '\u001b[2J'
const ENTER = `\u001b[?1049h\u001b[?25l\u001b[?2004h${CLEAR}`
const LEAVE = '\u001b[?2004l\u001b[?25h\u001b[?1049l'
/** Maximum number of buffered writes. Further writes are lost. */
const BUFFERED_MAX = 100
/** Maximum time in ms until the rest of a key sequence arrives. Without the rest, a lone ESC is the Esc key. */
const ESCAPE_MS = 30

type KeyTaker = (presses: readonly Press[]) => void

export interface Terminal {
  /**
   * Output for Ink; each write is a complete frame. With the real stdout, Ink 6 would draw over an editor that runs in
   * `lend`, and draw nothing if `CI` is set. Tests: `nothing is drawn while an editor has the terminal` and `the screens are drawn with
   * CI=true`.
   */
  readonly canvas: NodeJS.WriteStream
  /** Sends the keys of each read from stdin to `take`. Returns a function that restores the previous receiver. */
  onKeys(take: KeyTaker): () => void
  /** Copies text to the terminal's clipboard, also over SSH. */
  copy(text: string): void
  /** Restores the terminal and prints buffered output. May be called repeatedly. */
  restore(): void
  /** Restores the terminal while the work, such as an editor, runs. */
  lend<T>(work: () => Promise<T>): Promise<T>
}

/** Takes over a terminal: alternate screen, no cursor. Buffers other output until `restore`. */
export function takeTerminal({ stdin, stdout, stderr }: Pick<CliIo, 'stdin' | 'stdout' | 'stderr'>): Terminal {
  const write = stdout.write.bind(stdout) as (text: string) => boolean
  const painter = createPainter({ write, onceDrained: (then) => void stdout.once('drain', then) })
  const canvas = new EventEmitter()
  let lastPicture = ''
  let isLent = false
  Object.defineProperties(canvas, {
    columns: { get: () => stdout.columns || 80 },
    rows: { get: () => stdout.rows || 24 },
    write: {
      value: (picture: string) => {
        lastPicture = picture
        if (!isLent) painter.show(picture)
        return true
      },
    },
  })
  const onResize = () => {
    painter.forget()
    if (!isLent) write(CLEAR)
    canvas.emit('resize')
  }
  write(ENTER)
  stdout.on('resize', onResize)
  const flushPrints = bufferPrints([stdout, stderr])
  const takers: KeyTaker[] = []
  const startReading = () => readKeys(stdin, (presses) => takers.at(-1)?.(presses))
  let stopReading = startReading()
  let isTaken = true

  function restore(): void {
    if (!isTaken) return
    isTaken = false
    painter.stop()
    stdout.off('resize', onResize)
    process.off('exit', restore)
    stopReading()
    write(LEAVE)
    flushPrints()
  }

  async function lend<T>(work: () => Promise<T>): Promise<T> {
    isLent = true
    painter.stop()
    stopReading()
    write(LEAVE)
    try {
      return await work()
    } finally {
      isLent = false
      if (isTaken) {
        stopReading = startReading()
        write(ENTER)
        painter.forget()
        painter.show(lastPicture)
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

/** Reads keys in raw mode without echo. Returns a function that stops the reading. */
function readKeys(stdin: Input, take: KeyTaker): () => void {
  const reader = createKeyReader()
  let timer: NodeJS.Timeout | undefined
  const onData = (chunk: Buffer | string) => {
    clearTimeout(timer)
    take(reader.read(String(chunk)))
    if (reader.waits) timer = setTimeout(() => take(reader.flush()), ESCAPE_MS)
  }
  if (isTerminal(stdin)) stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stdin.on('data', onData)
  // The previous reader has paused stdin.
  stdin.resume()
  return () => {
    clearTimeout(timer)
    stdin.off('data', onData)
    stdin.pause()
    if (isTerminal(stdin)) stdin.setRawMode(false)
  }
}

/** Buffers output, such as warnings of a library, until the returned function is called. */
function bufferPrints(streams: readonly OutputStream[]): () => void {
  const bufferedWrites: (() => void)[] = []
  for (const stream of streams) {
    const write = stream.write
    stream.write = ((...args: Parameters<typeof write>) => {
      if (bufferedWrites.length < BUFFERED_MAX) bufferedWrites.push(() => void write.apply(stream, args))
      return true
    }) as typeof write
    bufferedWrites.push(() => {
      stream.write = write
    })
  }
  return () => {
    for (const resume of bufferedWrites) resume()
  }
}

function isTerminal(stream: Input): stream is ReadStream {
  return 'setRawMode' in stream && stream.isTTY === true
}
