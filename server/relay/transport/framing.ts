import { parseObject } from '../../../core/input.ts'
import type { Framing } from '../providers/provider.ts'
import { createFrameSplitter } from './aws-frames.ts'
import type { StreamEvent } from './events.ts'
import { createEventSplitter, DONE, EVENT_BYTES_MAX, eventData, eventName } from './sse.ts'

/** Receives the events of a stream, in order. */
interface EventTaker {
  take(event: StreamEvent): void
  /**
   * Takes the server-sent events from `start` on, without parsing them, as long as they repeat an earlier event. Returns
   * the position after them. Events end at `end` at the latest.
   */
  takeRepetitions(bytes: Buffer, start: number, end: number): number
}

/** Splits a stream into events. Chunks may end anywhere. Throws if an event is too large or damaged. */
interface Splitter {
  push(chunk: Buffer, taker: EventTaker): void
  /** Passes on the last event at the end of the body. Several vendors omit its line end. */
  flush(taker: EventTaker): void
}

const SPLITTERS: Record<Framing, () => Splitter> = { sse: sseSplitter, ndjson: lineSplitter, aws: awsSplitter }

export function createSplitter({ framing = 'sse' }: { framing?: Framing | undefined }): Splitter {
  return SPLITTERS[framing]()
}

/** Whether an event has content. Keep-alives may arrive as data that is empty or a comment. */
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
    push: (chunk, taker) =>
      splitter.push(
        chunk,
        (bytes, start, end) => {
          if (isComment(bytes, start, end) || taker.takeRepetitions(bytes, start, end) === end) return
          taker.take(new SseEvent(bytes.subarray(start, end)))
        },
        (bytes, start) => taker.takeRepetitions(bytes, start, bytes.length),
      ),
    flush(taker) {
      const last = splitter.flush()
      if (last.length > 0) taker.take(new SseEvent(Buffer.concat([last, BLANK_LINE])))
    },
  }
}

type ParsedEvent = Pick<StreamEvent, 'data' | 'payload' | 'done' | 'name'>

/** A server-sent event. Parsed only when needed, because most events need no parsing. */
class SseEvent implements StreamEvent {
  private parsed: ParsedEvent | undefined

  constructor(
    readonly bytes: Buffer,
    readonly repeats?: StreamEvent,
  ) {}

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

  private parse(): ParsedEvent {
    this.parsed ??= parseEvent(this.bytes)
    return this.parsed
  }
}

/**
 * Adjacent server-sent events that differ from an earlier event only in their texts. Only `bytes` is theirs. The other
 * fields, such as `payload`, are those of the earlier event, with its text.
 */
export class Repetitions implements StreamEvent {
  constructor(
    readonly repeats: StreamEvent,
    private readonly buffer: Buffer,
    private readonly start: number,
    /** The ends of the events in the buffer. The events before `firstIndex` are not part of this object. */
    private readonly ends: number[],
    private readonly firstIndex = 0,
  ) {}

  /** Adds the next event. Returns false if it is not adjacent. */
  add(buffer: Buffer, start: number, end: number): boolean {
    if (buffer !== this.buffer || start !== this.ends.at(-1)) return false
    this.ends.push(end)
    return true
  }

  get bytes(): Buffer {
    return this.buffer.subarray(this.start, this.ends.at(-1))
  }
  get data(): string {
    return this.repeats.data
  }
  get payload(): StreamEvent['payload'] {
    return this.repeats.payload
  }
  get done(): boolean {
    return this.repeats.done
  }
  get name(): string {
    return this.repeats.name
  }

  split(): [StreamEvent, StreamEvent | undefined] {
    const { repeats, buffer, start, ends, firstIndex } = this
    const end = ends[firstIndex]
    const next = firstIndex + 1
    const others = end !== undefined && next < ends.length && new Repetitions(repeats, buffer, end, ends, next)
    return [new SseEvent(buffer.subarray(start, end), repeats), others || undefined]
  }
}

const COLON = 58

/**
 * Whether an event is a single-line comment. Does not decode the bytes, because upstreams may send many
 * comments.
 */
function isComment(bytes: Buffer, start: number, end: number): boolean {
  return bytes[start] === COLON && bytes.indexOf(LF, start) === end - BLANK_LINE.length
}

function parseEvent(bytes: Buffer): ParsedEvent {
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
    push(chunk, { take }) {
      let start = 0
      for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, start)) {
        take(toLine(Buffer.concat([...pending, chunk.subarray(start, at + 1)])))
        pending = []
        size = 0
        start = at + 1
      }
      if (start < chunk.length) pending.push(chunk.subarray(start))
      size += chunk.length - start
      if (size > EVENT_BYTES_MAX) throw new RangeError('An upstream line is too large')
    },
    flush({ take }) {
      const last = Buffer.concat(pending)
      pending = []
      if (last.length > 0) take(toLine(last))
    },
  }
}

function toLine(bytes: Buffer): StreamEvent {
  const data = bytes.toString('utf8').trim()
  return { bytes, data, done: false, payload: objectIn(data), name: '' }
}

function awsSplitter(): Splitter {
  const splitter = createFrameSplitter()
  return {
    push: (chunk, { take }) => splitter.push(chunk).forEach(take),
    // An incomplete frame at the end of the body is ignored.
    flush: () => {},
  }
}
