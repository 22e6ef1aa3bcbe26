/**
 * Yields the data of each server-sent event: https://html.spec.whatwg.org/multipage/server-sent-events.html. Chunks may end
 * anywhere, even within a character. An event cut off by the end of the stream is dropped.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = []
  for await (const line of readLines(body)) {
    if (line === '') {
      if (data.length > 0) yield data.join('\n')
      data = []
      continue
    }
    const [, field, value = ''] = FIELD.exec(line) ?? []
    if (field === 'data') data.push(value)
  }
}

/** Name and value of a field. Comment lines, which have no name, do not match. */
const FIELD = /^([^:]+)(?:: ?(.*))?$/s

/** Yields lines that end with CR, LF or both. Text after the last line end is incomplete and dropped. */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let pending = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      pending += decoder.decode(value, { stream: !done })
      // A CR at the very end may be the first half of CR LF.
      const lines = pending.split(done ? /\r\n|\n|\r/ : /\r\n|\n|\r(?!$)/)
      pending = lines.pop() ?? ''
      yield* lines
      if (done) return
    }
  } finally {
    // Cancel the stream when the reader stops.
    await reader.cancel().catch(() => undefined)
  }
}
