import { ApiError } from './client.ts'

/**
 * Yields the rows of a JSON Lines reply as the rows arrive, in one array per chunk. The caller states the type of a
 * row. Throws an ApiError if the reply breaks off, because rows are then missing.
 */
export async function* readRows<Row>({ body }: Response): AsyncGenerator<Row[]> {
  if (!body) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let incompleteLine = ''
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(throwBrokenOff)
      if (done) break
      const lines = (incompleteLine + value).split('\n')
      incompleteLine = lines.pop() ?? ''
      if (lines.length > 0) yield lines.map((line) => JSON.parse(line) as Row)
    }
    if (incompleteLine !== '') throwBrokenOff()
  } finally {
    // Cancel the stream when the reader stops.
    await reader.cancel().catch(() => undefined)
  }
}

function throwBrokenOff(cause?: unknown): never {
  throw new ApiError('unreachable', '', { cause })
}
