const EVENT_LENGTH_MAX = 16 * 1024 * 1024

/** Yields the data of each server-sent event, also if an event spans several chunks. Throws RangeError for an event that is too long. */
export async function* serverEventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let incompleteEvent = ''
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    incompleteEvent += decoder.decode(chunk, { stream: true })
    const events = incompleteEvent.split(/\r?\n\r?\n/)
    incompleteEvent = events.pop() ?? ''
    if (incompleteEvent.length > EVENT_LENGTH_MAX) throw new RangeError('an event of the stream does not end')
    for (const event of events) yield* dataOf(event)
  }
  yield* dataOf(incompleteEvent)
}

function* dataOf(event: string): Generator<string> {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'))
  if (lines.length > 0) yield lines.map((line) => line.slice('data:'.length).replace(/^ /, '')).join('\n')
}
