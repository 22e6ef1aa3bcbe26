import type { CallOptions, Client } from './client.ts'
import { listOf } from './outline.ts'

/** A stream that says nothing for so long is taken for broken. */
const SILENCE_MS = 60_000
/** The longest that a timer can wait. */
const ENDLESS_MS = 2 ** 31 - 1

/**
 * The rows of an answer that has one JSON document with these fields on each line, as they arrive. Throws what the client throws, and
 * SERVER_UNREACHABLE when the answer breaks off: what has come until then is not all.
 */
export async function* readLines<T extends object>(
  client: Client,
  path: string,
  fields: readonly (keyof T & string)[],
  { query = {}, signal }: Pick<CallOptions, 'query' | 'signal'>,
): AsyncGenerator<T[]> {
  const silence = new AbortController()
  const listen = () => setTimeout(() => silence.abort(new DOMException('silent', 'TimeoutError')), SILENCE_MS)
  let timer = listen()
  const either = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal
  const rows = listOf<T>(...fields)
  // Half a row is the end of a connection, or somebody else's page.
  const cutOff = async (rest: string) => {
    await client.checked(rows, rest.startsWith('{') ? [] : rest, `GET ${path}`)
    return new Error('cut off', { cause: Object.assign(new Error('cut off'), { code: 'ECONNRESET' }) })
  }
  try {
    const { body } = await client.open('GET', path, { query, timeoutMs: ENDLESS_MS, signal: either })
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of body ?? []) {
      // Whoever reads the rows may take longer for them than the server.
      clearTimeout(timer)
      const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      if (lines.length > 0) yield await client.checked(rows, lines.map(parsed), `GET ${path}`)
      timer = listen()
    }
    if (rest !== '') throw await cutOff(rest)
  } catch (cause) {
    throw signal?.aborted ? cause : client.explained(cause)
  } finally {
    clearTimeout(timer)
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
