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
      let start = 0
      for (let end = eventEnd(bytes, start, seen); end > 0; end = eventEnd(bytes, start, start)) {
        events.push(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end))
        start = end
      }
      if (start > 0 || seen === 0) {
        // The events that left still lie in the old buffer.
        held = start < bytes.length ? Buffer.from(bytes.subarray(start)) : NONE
        size = held.length
      }
      if (size > EVENT_BYTES_MAX) throw new RangeError('An upstream event is too large')
      return events
    },
    /** What is left at the end of the body: some vendors omit the last blank line. */
    flush(): Buffer {
      const last = held.subarray(0, size)
      size = 0
      return last
    },
  }
}

/**
 * Where the first event from `start` ends, behind its blank line; 0 while that line has not arrived. None ends before
 * `seen`: up to there it was looked for already.
 */
function eventEnd(bytes: Buffer, start: number, seen: number): number {
  const from = Math.max(start, seen - 2)
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return at + 2
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3
  }
  // Lone carriage returns are line ends too, though hardly anybody sends them. JSON has no bare one in it.
  for (let at = bytes.indexOf(CR, from); at >= 0; at = bytes.indexOf(CR, at + 1)) {
    if (bytes[at + 1] === CR) return at + 2
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
