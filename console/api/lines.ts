import { ApiError } from './client.ts'

/**
 * The rows of an answer in JSON lines, as they come; those that came together are one batch. They have the type that the
 * server's response schema promises. An answer that breaks off throws: what had come is not all that there is.
 */
export async function* readRows<Row>({ body }: Response): AsyncGenerator<Row[]> {
  if (!body) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(brokenOff)
      if (done) break
      const lines = (rest + value).split('\n')
      rest = lines.pop() ?? ''
      if (lines.length > 0) yield lines.map((line) => JSON.parse(line) as Row)
    }
    if (rest !== '') brokenOff()
  } finally {
    // Whoever stops reading wants no more of it.
    await reader.cancel().catch(() => undefined)
  }
}

function brokenOff(cause?: unknown): never {
  throw new ApiError('unreachable', '', { cause })
}
