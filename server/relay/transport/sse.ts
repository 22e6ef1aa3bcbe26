/** Maximum size of an event, which may contain an image or a long tool call. A larger event is broken or an attack. */
export const EVENT_BYTES_MAX = 16 * 1024 * 1024

const EMPTY = Buffer.alloc(0)
const LF = 10
const CR = 13

/**
 * Splits a byte stream into server-sent events, each with its blank line.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 *
 * A chunk may end anywhere, for example inside a character or between CR and LF. Even if a large event arrives in small
 * chunks, each byte is copied only a few times. `bytesMax` is the maximum size of an event.
 */
export function createEventSplitter({ bytesMax = EVENT_BYTES_MAX }: { bytesMax?: number } = {}) {
  /** The start of an incomplete event, in a buffer that may be larger. */
  let pending: Buffer = EMPTY
  let size = 0
  let hasBegun = false

  function append(chunk: Buffer): Buffer {
    if (size + chunk.length > pending.length) {
      const largerBuffer = Buffer.allocUnsafe(Math.max(2 * pending.length, size + chunk.length))
      pending.copy(largerBuffer, 0, 0, size)
      pending = largerBuffer
    }
    chunk.copy(pending, size)
    size += chunk.length
    return pending.subarray(0, size)
  }

  return {
    /**
     * Adds a chunk. Calls `take` with the position of each complete event in a buffer, which later calls do not change.
     * `skip` may take events itself: it gets the start of an event, and returns the position after the events that it
     * has taken. Throws RangeError if the incomplete event exceeds `bytesMax`.
     */
    push(
      chunk: Buffer,
      take: (bytes: Buffer, start: number, end: number) => void,
      skip: (bytes: Buffer, start: number) => number = (_, start) => start,
    ): void {
      const searched = size
      const bytes = searched ? append(chunk) : chunk
      // Skip blank lines between events, because an upstream may send millions.
      let start = searched === 0 ? skip(bytes, skipLineEnds(bytes, 0)) : 0
      const findEnd = createEndFinder(bytes, Math.max(searched, start))
      for (let end = findEnd(start); end > 0; end = findEnd(start)) {
        take(bytes, afterByteOrderMark(bytes, start), end)
        start = skip(bytes, skipLineEnds(bytes, end))
      }
      if (start > 0 || searched === 0) {
        // Copy the bytes, because the events still use the old buffer.
        pending = start < bytes.length ? Buffer.from(bytes.subarray(start)) : EMPTY
        size = pending.length
      }
      if (size > bytesMax) throw new RangeError('An upstream event is too large')
    },
    /**
     * Returns the last event at the end of the body, which is empty if there is none. Some vendors omit its blank line.
     */
    flush(): Buffer {
      const last = pending.subarray(size > 0 ? afterByteOrderMark(pending, 0) : 0, size)
      size = 0
      return last
    },
  }

  /** Returns the start of an event. Skips the byte order mark of the first event of a stream. */
  function afterByteOrderMark(bytes: Buffer, start: number): number {
    if (hasBegun) return start
    hasBegun = true
    const afterMark = start + BYTE_ORDER_MARK.length
    return bytes.subarray(start, afterMark).equals(BYTE_ORDER_MARK) ? afterMark : start
  }
}

/** Returns the first position from `start` on that is not a line end. */
function skipLineEnds(bytes: Buffer, start: number): number {
  let at = start
  while (bytes[at] === LF || bytes[at] === CR) at++
  return at
}

const BYTE_ORDER_MARK = Buffer.from('\uFEFF')

/**
 * Creates a function that returns the end of the event at `start`: the position after its blank line, or 0 if the blank
 * line has not arrived.
 *
 * Earlier calls have searched the positions before `searched`. Each line may end with LF, CRLF or CR.
 */
function createEndFinder(bytes: Buffer, searched: number): (start: number) => number {
  // Search carriage returns once for all events. They are rare, because in JSON they are escaped.
  let crIndex = bytes.indexOf(CR, Math.max(0, searched - 2))

  function endByCarriageReturn(from: number, before: number): number {
    if (crIndex >= 0 && crIndex < from) crIndex = bytes.indexOf(CR, from)
    while (crIndex >= 0 && crIndex < before) {
      if (bytes[crIndex + 1] === CR) return bytes[crIndex + 2] === LF ? crIndex + 3 : crIndex + 2
      crIndex = bytes.indexOf(CR, crIndex + 1)
    }
    return 0
  }

  return (start) => {
    const from = Math.max(start, searched - 2)
    const end = endByLineFeed(bytes, from)
    return endByCarriageReturn(from, end || bytes.length) || end
  }
}

function endByLineFeed(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return at + 2
    // The byte after the CR shows whether the line end is CR or CRLF.
    if (bytes[at + 1] === CR && at + 2 < bytes.length) return bytes[at + 2] === LF ? at + 3 : at + 2
  }
  return 0
}

const DATA = 'data:'

/** Returns the payload of an event, which is its joined `data` lines. Returns '' if there is no data. */
export function eventData(event: Buffer): string {
  const text = event.toString('utf8')
  // A fast path, because most events have a single line.
  if (text.startsWith(DATA)) {
    const payload = text.slice(DATA.length).trimEnd()
    if (!payload.includes('\n') && !payload.includes('\r')) return payload.trimStart()
  }
  return text
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith(DATA))
    .map((line) => line.slice(DATA.length).replace(/^ /, ''))
    .join('\n')
    .trim()
}

/** Returns the value of an event's `event:` line, or '' if there is none. */
export function eventName(event: Buffer): string {
  // A fast path, because most events have only data.
  if (event[0] === FIRST_OF_DATA) return ''
  return /^event: ?([^\r\n]*)/m.exec(event.toString('utf8'))?.[1]?.trim() ?? ''
}
const FIRST_OF_DATA = 'd'.charCodeAt(0)

/**
 * Returns the payloads of the events in a reply of the gateway itself. Such a reply may have the events of its
 * upstream, with any line ends, and with or without a space after `data:`.
 */
export async function* payloadsIn(stream: AsyncIterable<unknown>): AsyncGenerator<string> {
  const splitter = createEventSplitter({ bytesMax: Number.POSITIVE_INFINITY })
  for await (const chunk of stream) {
    yield* eventsIn(splitter, Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk))).map(eventData)
  }
  yield eventData(splitter.flush())
}

/** Adds a chunk to a splitter and returns the bytes of the complete events. */
export function eventsIn(splitter: EventSplitter, chunk: Buffer): Buffer[] {
  const events: Buffer[] = []
  splitter.push(chunk, (bytes, start, end) => events.push(bytes.subarray(start, end)))
  return events
}

type EventSplitter = ReturnType<typeof createEventSplitter>

/** Formats an event with a JSON payload but without a name, as in OpenAI's chat completions. */
export function formatEvent(payload: unknown): string {
  return `data: ${JSON.stringify(payload)}\n\n`
}

export const DONE = '[DONE]'
export const DONE_EVENT = 'data: [DONE]\n\n'
