import type { StreamName } from '../../core/api/calls.ts'
import type { CallOptions, Client } from './client.ts'
import type { Guard } from './guards.ts'

/** Maximum time without data. After this time, the stream counts as broken. */
const SILENCE_MS = 60_000
/** Maximum delay of a timer: 25 days. Used as a timeout that practically never ends. */
const ENDLESS_MS = 2 ** 31 - 1

/**
 * Yields the rows of a JSON lines response as the rows arrive. Throws the client's errors, also for rows that the
 * guard rejects, and SERVER_UNREACHABLE if the response is incomplete.
 */
export async function* readReplyRows<T>(
  client: Client,
  { name, rows }: { name: StreamName; rows: Guard<T[]> },
  { query = {}, signal }: Pick<CallOptions, 'query' | 'signal'>,
): AsyncGenerator<T[]> {
  const silence = new AbortController()
  const startTimer = () => setTimeout(() => silence.abort(new DOMException('silent', 'TimeoutError')), SILENCE_MS)
  let timer = startTimer()
  const anySignal = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal
  // Returns the error for an incomplete last row, which means that the connection was closed. Throws if the text is not
  // the start of a row, such as a page of another server.
  const incompleteRowError = async (incompleteLine: string) => {
    await client.checked(rows, incompleteLine.startsWith('{') ? [] : incompleteLine, name)
    return new Error('cut off', { cause: Object.assign(new Error('cut off'), { code: 'ECONNRESET' }) })
  }
  try {
    const { body } = await client.open(name, { query, timeoutMs: ENDLESS_MS, signal: anySignal })
    let incompleteLine = ''
    const decoder = new TextDecoder()
    for await (const chunk of body ?? []) {
      // The timer does not run while the consumer of the rows is busy.
      clearTimeout(timer)
      const lines = (incompleteLine + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n')
      incompleteLine = lines.pop() ?? ''
      if (lines.length > 0) yield await client.checked(rows, lines.map(parseLine), name)
      timer = startTimer()
    }
    if (incompleteLine !== '') throw await incompleteRowError(incompleteLine)
  } catch (cause) {
    throw signal?.aborted ? cause : client.explained(cause)
  } finally {
    clearTimeout(timer)
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
