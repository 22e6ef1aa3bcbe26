import type { CallOptions, Client } from './client.ts'
import { listOf } from './guards.ts'

/** A stream without data for this long is treated as broken. */
const SILENCE_MS = 60_000
/** Maximum delay of a timer. */
const ENDLESS_MS = 2 ** 31 - 1

/**
 * Yields the rows of a JSON lines response as they arrive, checked for these fields. Throws the client's errors, and
 * SERVER_UNREACHABLE if the response is incomplete.
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
  // An incomplete row means a lost connection, or a page of another server.
  const cutOff = async (rest: string) => {
    await client.checked(rows, rest.startsWith('{') ? [] : rest, `GET ${path}`)
    return new Error('cut off', { cause: Object.assign(new Error('cut off'), { code: 'ECONNRESET' }) })
  }
  try {
    const { body } = await client.open('GET', path, { query, timeoutMs: ENDLESS_MS, signal: either })
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of body ?? []) {
      // No timeout while the consumer of the rows is busy.
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
