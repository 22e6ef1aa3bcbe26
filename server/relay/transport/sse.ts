/** Maximum size of an event, which may contain an image or a long tool call. A larger event is broken or an attack. */
export const EVENT_BYTES_MAX = 16 * 1024 * 1024

const NONE = Buffer.alloc(0)
const LF = 10
const CR = 13

/**
 * Splits a byte stream into server-sent events, each with its blank line.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 *
 * A chunk may end anywhere, for example inside a character or between CR and LF. Even if a large event arrives in small
 * chunks, each byte is copied only a few times.
 */
export function createEventSplitter() {
  /** The start of an incomplete event, in a buffer that may be larger. */
  let pending: Buffer = NONE
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
     * Adds a chunk and returns the complete events. Throws RangeError if the incomplete event exceeds EVENT_BYTES_MAX.
     */
    push(chunk: Buffer): Buffer[] {
      const seen = size
      const bytes = seen ? append(chunk) : chunk
      const events: Buffer[] = []
      const nextEnd = eventEnds(bytes, seen)
      // Skip blank lines between events, because an upstream may send millions.
      let start = seen === 0 ? skipLineEnds(bytes, 0) : 0
      for (let end = nextEnd(start); end > 0; end = nextEnd(start)) {
        events.push(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end))
        start = skipLineEnds(bytes, end)
      }
      if (start > 0 || seen === 0) {
        // Copy the bytes, because the returned events still use the old buffer.
        pending = start < bytes.length ? Buffer.from(bytes.subarray(start)) : NONE
        size = pending.length
      }
      if (size > EVENT_BYTES_MAX) throw new RangeError('An upstream event is too large')
      if (events[0]) events[0] = withoutMark(events[0])
      return events
    },
    /**
     * Returns the last event at the end of the body, which is empty if there is none. Some vendors omit its blank line.
     */
    flush(): Buffer {
      const last = withoutMark(pending.subarray(0, size))
      size = 0
      return last
    },
  }

  /** Removes the byte order mark from the first event of a stream. */
  function withoutMark(event: Buffer): Buffer {
    const hasMark = !hasBegun && event.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    hasBegun = true
    return hasMark ? event.subarray(BYTE_ORDER_MARK.length) : event
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
 * Returns a function. It returns the position after the blank line of the event at `start`, or 0 if that line has not
 * arrived.
 *
 * Earlier calls have searched the positions before `seen`. Each line may end with LF, CRLF or CR.
 */
function eventEnds(bytes: Buffer, seen: number): (start: number) => number {
  // Search carriage returns once for all events. They are rare, because in JSON they are escaped.
  let carriage = bytes.indexOf(CR, Math.max(0, seen - 2))

  function byCarriage(from: number, before: number): number {
    if (carriage >= 0 && carriage < from) carriage = bytes.indexOf(CR, from)
    while (carriage >= 0 && carriage < before) {
      if (bytes[carriage + 1] === CR) return bytes[carriage + 2] === LF ? carriage + 3 : carriage + 2
      carriage = bytes.indexOf(CR, carriage + 1)
    }
    return 0
  }

  return (start) => {
    const from = Math.max(start, seen - 2)
    const end = byLineFeed(bytes, from)
    return byCarriage(from, end || bytes.length) || end
  }
}

function byLineFeed(bytes: Buffer, from: number): number {
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
  // This runs for every event, and most events have a single line.
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
  // This runs for every event, and most events have only data.
  if (event[0] === FIRST_OF_DATA) return ''
  return /^event: ?([^\r\n]*)/m.exec(event.toString('utf8'))?.[1]?.trim() ?? ''
}
const FIRST_OF_DATA = 'd'.charCodeAt(0)

/** Formats an event with a JSON payload but without a name, as in OpenAI's chat completions. */
export function formatEvent(payload: unknown): string {
  return `data: ${JSON.stringify(payload)}\n\n`
}

export const DONE = '[DONE]'
export const DONE_EVENT = 'data: [DONE]\n\n'
