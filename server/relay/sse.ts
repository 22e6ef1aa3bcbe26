/** An event may carry an image or a long tool call; beyond this a stream is broken or hostile. */
export const EVENT_BYTES_MAX = 16 * 1024 * 1024

const LF = 10
const CR = 13

/**
 * Cuts a byte stream into server-sent events, each with its closing blank line, wherever the chunks end: inside a
 * character, between CR and LF, or in the middle of a blank line. https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export function createEventSplitter() {
  let rest: Buffer = Buffer.alloc(0)
  return {
    /** The events that are complete now. Throws RangeError past EVENT_BYTES_MAX. */
    push(chunk: Buffer): Buffer[] {
      const bytes = rest.length ? Buffer.concat([rest, chunk]) : chunk
      const events: Buffer[] = []
      let start = 0
      for (let end = eventEnd(bytes, start); end > 0; end = eventEnd(bytes, start)) {
        events.push(bytes.subarray(start, end))
        start = end
      }
      rest = bytes.subarray(start)
      if (rest.length > EVENT_BYTES_MAX) throw new RangeError('An upstream event is too large')
      return events
    },
    /** What is left at the end of the body: some vendors omit the last blank line. */
    flush(): Buffer {
      const last = rest
      rest = Buffer.alloc(0)
      return last
    },
  }
}

/** Where the first event from `start` ends, behind its blank line; 0 while that line has not arrived. */
function eventEnd(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(LF, start); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return at + 2
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3
  }
  // Lone carriage returns are line ends too, though hardly anybody sends them.
  if (bytes.indexOf(LF, start) < 0) {
    const at = bytes.indexOf('\r\r', start)
    if (at >= 0) return at + 2
  }
  return 0
}

const DATA = 'data:'

/** The payload of one event: its `data` lines joined. Empty for comments, keep-alives and events without data. */
export function eventData(event: Buffer): string {
  const text = event.toString('utf8')
  if (text.startsWith(DATA)) {
    const end = text.search(/[\r\n]/)
    const isOnlyLine = end < 0 || text.slice(end).trim() === ''
    if (isOnlyLine) return text.slice(DATA.length, end < 0 ? undefined : end).trim()
  }
  return text
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith(DATA))
    .map((line) => line.slice(DATA.length).replace(/^ /, ''))
    .join('\n')
    .trim()
}

/** One event with a JSON payload, as every dialect of OpenAI's family writes it. */
export function formatEvent(payload: unknown): string {
  return `data: ${JSON.stringify(payload)}\n\n`
}

export const DONE = '[DONE]'
export const DONE_EVENT = 'data: [DONE]\n\n'
