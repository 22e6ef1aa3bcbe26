/**
 * Yields the data of each server-sent event: https://html.spec.whatwg.org/multipage/server-sent-events.html. Chunks may
 * end anywhere, even inside a character. Ignores an incomplete event at the end of the stream.
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

/** Matches the name and value of a field. Comment lines do not match, because they have no name. */
const FIELD = /^([^:]+)(?:: ?(.*))?$/s

/** Yields lines that end with CR, LF or CR LF. Ignores an incomplete last line. */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let incompleteLine = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      incompleteLine += decoder.decode(value, { stream: !done })
      // A CR at the end of a chunk may be the first half of CR LF, so do not split there.
      const lines = incompleteLine.split(done ? /\r\n|\n|\r/ : /\r\n|\n|\r(?!$)/)
      incompleteLine = lines.pop() ?? ''
      yield* lines
      if (done) return
    }
  } finally {
    // Cancel the stream when the reader stops.
    await reader.cancel().catch(() => undefined)
  }
}
