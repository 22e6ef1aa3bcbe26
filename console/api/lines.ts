import { ApiError } from './client.ts'

/**
 * Yields the rows of a JSON Lines reply as they arrive, in batches per chunk, typed by the server's response schema. Throws
 * if the reply breaks off, because rows are missing.
 */
export async function* readRows<Row>({ body }: Response): AsyncGenerator<Row[]> {
  if (!body) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let pending = ''
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(brokenOff)
      if (done) break
      const lines = (pending + value).split('\n')
      pending = lines.pop() ?? ''
      if (lines.length > 0) yield lines.map((line) => JSON.parse(line) as Row)
    }
    if (pending !== '') brokenOff()
  } finally {
    // Cancel the stream when the reader stops.
    await reader.cancel().catch(() => undefined)
  }
}

function brokenOff(cause?: unknown): never {
  throw new ApiError('unreachable', '', { cause })
}
