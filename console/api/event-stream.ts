/**
 * The data of each server-sent event, as it comes: https://html.spec.whatwg.org/multipage/server-sent-events.html.
 * Chunks may end anywhere, within a character too. An event that the stream breaks off in is none.
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

/** Name and value of a field; a comment has no name. */
const FIELD = /^([^:]+)(?:: ?(.*))?$/s

/** A line ends by CR, LF, or both; what is behind the last end is not a line yet. */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      rest += decoder.decode(value, { stream: !done })
      // A CR at the very end may be the first half of CR LF.
      const lines = rest.split(done ? /\r\n|\n|\r/ : /\r\n|\n|\r(?!$)/)
      rest = lines.pop() ?? ''
      yield* lines
      if (done) return
    }
  } finally {
    // Whoever stops reading wants no more of it.
    await reader.cancel().catch(() => undefined)
  }
}
