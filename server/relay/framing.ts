import { createFrameSplitter } from './aws-frames.ts'
import type { StreamEvent } from './events.ts'
import { parseObject } from './json.ts'
import type { Framing } from './providers/provider.ts'
import { createEventSplitter, DONE, EVENT_BYTES_MAX, eventData, eventName } from './sse.ts'

/** Cuts a stream into events, wherever its pieces end. Throws for an event that is too large or damaged. */
export interface Splitter {
  push(piece: Buffer): StreamEvent[]
  /** What is left when the body ends: several vendors omit the last line end. */
  flush(): StreamEvent[]
}

const SPLITTERS: Record<Framing, () => Splitter> = { sse: sseSplitter, ndjson: lineSplitter, aws: createFrameSplitter }

/** Cuts a reply into events. Comments and keep-alives are left out. */
export function createSplitter({
  framing = 'sse',
  plainText = false,
}: {
  framing?: Framing | undefined
  plainText?: boolean | undefined
}): Splitter {
  const splitter = SPLITTERS[framing]()
  // Some keep-alives arrive as data: nothing, or a comment inside it.
  const isSomething = ({ data, chunk, done, name }: StreamEvent) =>
    chunk !== undefined || done || (plainText && !data.startsWith(':') && (data !== '' || name !== ''))
  return {
    push: (piece) => splitter.push(piece).filter(isSomething),
    flush: () => splitter.flush().filter(isSomething),
  }
}

const BLANK_LINE = Buffer.from('\n\n')

function sseSplitter(): Splitter {
  const splitter = createEventSplitter()
  return {
    push: (piece) => splitter.push(piece).flatMap((bytes) => (isComment(bytes) ? [] : [toEvent(bytes)])),
    flush() {
      const last = splitter.flush()
      return last.length ? [toEvent(Buffer.concat([last, BLANK_LINE]))] : []
    },
  }
}

const COLON = 58

/** A comment of one line is nothing else. Upstreams may send many: it is not worth reading. */
function isComment(bytes: Buffer): boolean {
  return bytes[0] === COLON && bytes.indexOf(LF) === bytes.length - BLANK_LINE.length
}

function toEvent(bytes: Buffer): StreamEvent {
  const data = eventData(bytes) || bareJson(bytes)
  const done = data === DONE
  return { bytes, data, done, chunk: done ? undefined : parseObject(data), name: eventName(bytes) }
}

const BRACE = 123

/** Some vendors tell an error in place of a stream, and do not even frame it. */
function bareJson(bytes: Buffer): string {
  return bytes[0] === BRACE ? bytes.toString('utf8').trim() : ''
}

const LF = 10

/** One JSON object a line: Ollama's own API, and frames of websockets. */
function lineSplitter(): Splitter {
  let held: Buffer[] = []
  let size = 0
  return {
    push(piece) {
      const events: StreamEvent[] = []
      let start = 0
      for (let at = piece.indexOf(LF); at >= 0; at = piece.indexOf(LF, start)) {
        events.push(toLine(Buffer.concat([...held, piece.subarray(start, at + 1)])))
        held = []
        size = 0
        start = at + 1
      }
      if (start < piece.length) held.push(piece.subarray(start))
      size += piece.length - start
      if (size > EVENT_BYTES_MAX) throw new RangeError('An upstream line is too large')
      return events
    },
    flush() {
      const last = Buffer.concat(held)
      held = []
      return last.length ? [toLine(last)] : []
    },
  }
}

function toLine(bytes: Buffer): StreamEvent {
  const data = bytes.toString('utf8').trim()
  return { bytes, data, done: false, chunk: parseObject(data), name: '' }
}
