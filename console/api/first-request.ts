import { ApiError } from './client.ts'
import { readReply } from './reply.ts'

/** The reply to a request with an API key. */
interface FirstReply {
  ok: boolean
  /** The model's text or the error message. */
  text: string
  /** The gateway's id of the request; empty if the gateway sent none. */
  requestId: string
  /** Duration in milliseconds. */
  ms: number
}

const TIMEOUT_MS = 120_000

/**
 * Sends a short chat request as an API client does, with a key and without the session cookie. Also returns error
 * replies of the gateway. Throws an ApiError of the kind `unreachable` or `slow`.
 */
export async function runFirstRequest({ key, model }: { key: string; model: string }): Promise<FirstReply> {
  const startedAt = performance.now()
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await fetch('/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      credentials: 'omit',
      signal: timeout,
      body: JSON.stringify({ model, messages: [{ role: 'user', content: FIRST_PROMPT }] }),
    })
    const body = await response.text()
    const requestId = response.headers.get('x-request-id') ?? ''
    const ms = Math.round(performance.now() - startedAt)
    const text = response.ok ? textOfReply(body) : readReply(body)?.message || `HTTP ${response.status}`
    return { ok: response.ok, text, requestId, ms }
  } catch (cause) {
    throw new ApiError(timeout.aborted ? 'slow' : 'unreachable', '', { cause })
  }
}

const FIRST_PROMPT = 'Say hello in one short sentence.'

/** Returns the text of a chat reply; the whole body if it has another format. */
function textOfReply(body: string): string {
  try {
    const reply = JSON.parse(body) as { choices?: { message?: { content?: unknown } }[] }
    const content = reply.choices?.[0]?.message?.content
    return typeof content === 'string' ? content : body
  } catch {
    return body
  }
}
