import { parseObject } from '../../../core/input.ts'
import type { Framing } from '../providers/provider.ts'
import { createFrameSplitter } from './aws-frames.ts'
import type { StreamEvent } from './events.ts'
import { createEventSplitter, DONE, EVENT_BYTES_MAX, eventData, eventName } from './sse.ts'

/** Splits a stream into events. Chunks may end anywhere. Throws if an event is too large or damaged. */
interface Splitter {
  push(chunk: Buffer): StreamEvent[]
  /** Returns the last event at the end of the body. Several vendors omit its line end. */
  flush(): StreamEvent[]
}

const SPLITTERS: Record<Framing, () => Splitter> = { sse: sseSplitter, ndjson: lineSplitter, aws: createFrameSplitter }

export function createSplitter({ framing = 'sse' }: { framing?: Framing | undefined }): Splitter {
  return SPLITTERS[framing]()
}

/** Returns whether an event has content. Keep-alives may arrive as data that is empty or a comment. */
export function hasContent(
  event: StreamEvent,
  { readsNonJsonEvents = false }: { readsNonJsonEvents?: boolean | undefined },
): boolean {
  if (event.payload !== undefined || event.done) return true
  return readsNonJsonEvents && !event.data.startsWith(':') && (event.data !== '' || event.name !== '')
}

const BLANK_LINE = Buffer.from('\n\n')

function sseSplitter(): Splitter {
  const splitter = createEventSplitter()
  return {
    push: (chunk) => splitter.push(chunk).flatMap((bytes) => (isComment(bytes) ? [] : new SseEvent(bytes))),
    flush() {
      const last = splitter.flush()
      return last.length ? [new SseEvent(Buffer.concat([last, BLANK_LINE]))] : []
    },
  }
}

/** A server-sent event. Parsed only when needed, because most events need no parsing. */
class SseEvent implements StreamEvent {
  repeats: StreamEvent | undefined
  private parsed: Pick<StreamEvent, 'data' | 'payload' | 'done' | 'name'> | undefined

  constructor(readonly bytes: Buffer) {}

  get data(): string {
    return this.parse().data
  }
  get payload(): StreamEvent['payload'] {
    return this.parse().payload
  }
  get done(): boolean {
    return this.parse().done
  }
  get name(): string {
    return this.parse().name
  }

  private parse() {
    this.parsed ??= parseEvent(this.bytes)
    return this.parsed
  }
}

const COLON = 58

/**
 * Returns whether an event is a single-line comment. Does not decode the bytes, because upstreams may send many
 * comments.
 */
function isComment(bytes: Buffer): boolean {
  return bytes[0] === COLON && bytes.indexOf(LF) === bytes.length - BLANK_LINE.length
}

function parseEvent(bytes: Buffer): Pick<StreamEvent, 'data' | 'payload' | 'done' | 'name'> {
  const data = eventData(bytes) || bareJson(bytes)
  const done = data === DONE
  return { data, done, payload: objectIn(data), name: eventName(bytes) }
}

const BRACE = 123

/**
 * Parses a JSON object without leading white space. Returns undefined if there is none.
 *
 * The check of the first character avoids failing parses, which cost ten times as much as successful parses.
 */
function objectIn(data: string): StreamEvent['payload'] {
  return data.charCodeAt(0) === BRACE ? parseObject(data) : undefined
}

/** Returns a JSON object that is not framed as an event, or '' if there is none. Some vendors send errors like this. */
function bareJson(bytes: Buffer): string {
  return bytes[0] === BRACE ? bytes.toString('utf8').trim() : ''
}

const LF = 10

/** Splits a body that has one JSON object per line. Ollama's API and websockets send such bodies. */
function lineSplitter(): Splitter {
  let pending: Buffer[] = []
  let size = 0
  return {
    push(chunk) {
      const events: StreamEvent[] = []
      let start = 0
      for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, start)) {
        events.push(toLine(Buffer.concat([...pending, chunk.subarray(start, at + 1)])))
        pending = []
        size = 0
        start = at + 1
      }
      if (start < chunk.length) pending.push(chunk.subarray(start))
      size += chunk.length - start
      if (size > EVENT_BYTES_MAX) throw new RangeError('An upstream line is too large')
      return events
    },
    flush() {
      const last = Buffer.concat(pending)
      pending = []
      return last.length ? [toLine(last)] : []
    },
  }
}

function toLine(bytes: Buffer): StreamEvent {
  const data = bytes.toString('utf8').trim()
  return { bytes, data, done: false, payload: objectIn(data), name: '' }
}
