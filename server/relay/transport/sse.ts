/** Maximum bytes of an event, which may contain an image or a long tool call. A larger event is broken or an attack. */
export const EVENT_BYTES_MAX = 16 * 1024 * 1024

const NONE = Buffer.alloc(0)
const LF = 10
const CR = 13

/**
 * Splits a byte stream into server-sent events, each with its blank line. A chunk may end anywhere: inside a character, between
 * CR and LF, or inside a blank line. https://html.spec.whatwg.org/multipage/server-sent-events.html Each byte is read and copied
 * a bounded number of times, even if a large event arrives in small chunks.
 */
export function createEventSplitter() {
  /** The first bytes of an incomplete event, in a buffer with free space. */
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
    /** Adds a chunk and returns the complete events. Throws RangeError if the incomplete event exceeds EVENT_BYTES_MAX. */
    push(chunk: Buffer): Buffer[] {
      const seen = size
      const bytes = seen ? append(chunk) : chunk
      const events: Buffer[] = []
      const nextEnd = eventEnds(bytes, seen)
      // Skip blank lines between events: an upstream may send millions.
      let start = seen === 0 ? skipLineEnds(bytes, 0) : 0
      for (let end = nextEnd(start); end > 0; end = nextEnd(start)) {
        events.push(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end))
        start = skipLineEnds(bytes, end)
      }
      if (start > 0 || seen === 0) {
        // Copy, because the old buffer still contains the returned events.
        pending = start < bytes.length ? Buffer.from(bytes.subarray(start)) : NONE
        size = pending.length
      }
      if (size > EVENT_BYTES_MAX) throw new RangeError('An upstream event is too large')
      if (events[0]) events[0] = withoutMark(events[0])
      return events
    },
    /** Returns the last event at the end of the body, because some vendors omit the last blank line. Empty if there is none. */
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
 * Returns a function that returns the end of the event at `start`, after its blank line; 0 if the end has not arrived. Positions
 * before `seen` have been searched already. Each line may end with LF, CRLF or CR.
 */
function eventEnds(bytes: Buffer, seen: number): (start: number) => number {
  // Search carriage returns once, not for each event: they are rare, and JSON contains none without an escape.
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
    // The byte after the CR decides whether the line end is CR or CRLF.
    if (bytes[at + 1] === CR && at + 2 < bytes.length) return bytes[at + 2] === LF ? at + 3 : at + 2
  }
  return 0
}

const DATA = 'data:'

/** Returns the payload of an event, which is its joined `data` lines; '' for comments, keep-alives and events without data. */
export function eventData(event: Buffer): string {
  const text = event.toString('utf8')
  // Fast path for one line: most events have only one, and this code runs for each event.
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

/** Returns the value of the `event:` line of an event; '' if there is none. */
export function eventName(event: Buffer): string {
  // Fast path: most events have only data, and this code runs for each event.
  if (event[0] === FIRST_OF_DATA) return ''
  return /^event: ?([^\r\n]*)/m.exec(event.toString('utf8'))?.[1]?.trim() ?? ''
}
const FIRST_OF_DATA = 'd'.charCodeAt(0)

/** Formats an event with a JSON payload and without a name, as OpenAI's chat completions do. */
export function formatEvent(payload: unknown): string {
  return `data: ${JSON.stringify(payload)}\n\n`
}

export const DONE = '[DONE]'
export const DONE_EVENT = 'data: [DONE]\n\n'
