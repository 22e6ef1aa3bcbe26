/** An event may carry an image or a long tool call; beyond this a stream is broken or hostile. */
export const EVENT_BYTES_MAX = 16 * 1024 * 1024

const NONE = Buffer.alloc(0)
const LF = 10
const CR = 13

/**
 * Cuts a byte stream into server-sent events, each with its closing blank line, wherever the chunks end: inside a
 * character, between CR and LF, or in the middle of a blank line. https://html.spec.whatwg.org/multipage/server-sent-events.html
 *
 * Each byte is looked at and copied a bounded number of times, however small the pieces of a large event are.
 */
export function createEventSplitter() {
  /** The beginning of an event, in a buffer with room for more of it. */
  let held: Buffer = NONE
  let size = 0
  let begun = false

  function append(chunk: Buffer): Buffer {
    if (size + chunk.length > held.length) {
      const roomier = Buffer.allocUnsafe(Math.max(2 * held.length, size + chunk.length))
      held.copy(roomier, 0, 0, size)
      held = roomier
    }
    chunk.copy(held, size)
    size += chunk.length
    return held.subarray(0, size)
  }

  return {
    /** The events that are complete now. Throws RangeError past EVENT_BYTES_MAX. */
    push(chunk: Buffer): Buffer[] {
      const seen = size
      const bytes = seen ? append(chunk) : chunk
      const events: Buffer[] = []
      const nextEnd = eventEnds(bytes, seen)
      // Blank lines between events say nothing, and an upstream may send millions.
      let start = seen === 0 ? behindLineEnds(bytes, 0) : 0
      for (let end = nextEnd(start); end > 0; end = nextEnd(start)) {
        events.push(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end))
        start = behindLineEnds(bytes, end)
      }
      if (start > 0 || seen === 0) {
        // The events that left still lie in the old buffer.
        held = start < bytes.length ? Buffer.from(bytes.subarray(start)) : NONE
        size = held.length
      }
      if (size > EVENT_BYTES_MAX) throw new RangeError('An upstream event is too large')
      if (events[0]) events[0] = withoutMark(events[0])
      return events
    },
    /** What is left at the end of the body: some vendors omit the last blank line. */
    flush(): Buffer {
      const last = withoutMark(held.subarray(0, size))
      size = 0
      return last
    },
  }

  /** A stream may begin with a byte order mark, which belongs to no line. */
  function withoutMark(event: Buffer): Buffer {
    const marked = !begun && event.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    begun = true
    return marked ? event.subarray(BYTE_ORDER_MARK.length) : event
  }
}

/** Returns the first place from `start` on that is no line end. */
function behindLineEnds(bytes: Buffer, start: number): number {
  let at = start
  while (bytes[at] === LF || bytes[at] === CR) at++
  return at
}

const BYTE_ORDER_MARK = Buffer.from('\uFEFF')

/**
 * Finds where the event from `start` ends, behind its blank line; 0 while that line has not arrived. None ends before `seen`:
 * up to there it was looked for already. Lines end with LF, CRLF or CR, each as it likes.
 */
function eventEnds(bytes: Buffer, seen: number): (start: number) => number {
  // Hardly anybody sends carriage returns, and JSON has no bare ones: they are looked for once, not for each event.
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
    // Whether the carriage return is alone, the byte after it tells.
    if (bytes[at + 1] === CR && at + 2 < bytes.length) return bytes[at + 2] === LF ? at + 3 : at + 2
  }
  return 0
}

const DATA = 'data:'

/** The payload of one event: its `data` lines joined. Empty for comments, keep-alives and events without data. */
export function eventData(event: Buffer): string {
  const text = event.toString('utf8')
  // Most events are one line, and this runs for each of them.
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

/** The `event:` line of an event; '' without one. */
export function eventName(event: Buffer): string {
  // Most events have nothing but data, and this runs for each of them.
  if (event[0] === FIRST_OF_DATA) return ''
  return /^event: ?([^\r\n]*)/m.exec(event.toString('utf8'))?.[1]?.trim() ?? ''
}
const FIRST_OF_DATA = 'd'.charCodeAt(0)

/** One event with a JSON payload, as every dialect of OpenAI's family writes it. */
export function formatEvent(payload: unknown): string {
  return `data: ${JSON.stringify(payload)}\n\n`
}

export const DONE = '[DONE]'
export const DONE_EVENT = 'data: [DONE]\n\n'
