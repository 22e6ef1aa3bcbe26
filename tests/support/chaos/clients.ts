import { WHOLE } from './upstreams.ts'

/**
 * The end of a relay for its client. `broken`: a stream that reported an error after its start. `improper`: what
 * clients must never get, such as a partial reply that looks complete, no reply, or an error in another format.
 */
export type End = 'whole' | 'broken' | 'refused' | 'improper'

export interface Outcome {
  readonly end: End
  readonly status: number
  readonly requestId: string
  /** The improper reply. */
  readonly text: string
}

type Json = Record<string, unknown>

/** A client of one format. */
interface Client {
  path(model: string, stream: boolean): string
  body(model: string, stream: boolean): Json
  /** Returns the text of a body or an event. */
  content(payload: Json): string
  /** Whether this body, event or line completes the reply. */
  isLast(payload: Json | '[DONE]', stream: boolean): boolean
  /** Whether the payload is an error in this format. */
  isError(payload: Json): boolean
}

const MESSAGES = [{ role: 'user', content: 'count' }]
const at = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce((within: unknown, name) => (within as Json | undefined | null)?.[name], value)
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const OPENAI: Client = {
  path: () => '/v1/chat/completions',
  body: (model, stream) => ({ model, messages: MESSAGES, stream, max_tokens: 20 }),
  content: (payload) =>
    text(at(payload, 'choices', 0, 'message', 'content') ?? at(payload, 'choices', 0, 'delta', 'content')),
  isLast: (payload, stream) =>
    stream ? payload === '[DONE]' : at(payload, 'choices', 0, 'finish_reason') !== undefined,
  isError: ({ error }) => text(at(error, 'message')) !== '' && text(at(error, 'type')) !== '',
}

const ANTHROPIC: Client = {
  path: () => '/v1/messages',
  body: (model, stream) => ({ model, messages: MESSAGES, stream, max_tokens: 20 }),
  content: (payload) => text(at(payload, 'content', 0, 'text') ?? at(payload, 'delta', 'text')),
  isLast: (payload, stream) => at(payload, 'type') === (stream ? 'message_stop' : 'message'),
  isError: ({ type, error }) => type === 'error' && text(at(error, 'message')) !== '' && text(at(error, 'type')) !== '',
}

const GEMINI: Client = {
  path: (model, stream) => `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  body: () => ({ contents: [{ role: 'user', parts: [{ text: 'count' }] }], generationConfig: { maxOutputTokens: 20 } }),
  content: (payload) => text(at(payload, 'candidates', 0, 'content', 'parts', 0, 'text')),
  isLast: (payload) => text(at(payload, 'candidates', 0, 'finishReason')) !== '',
  isError: ({ error }) => text(at(error, 'message')) !== '' && text(at(error, 'status')) !== '',
}

const CLIENTS = [OPENAI, ANTHROPIC, GEMINI] as const
const PATIENCE_MS = 30_000

/** Sends the n-th relay, alternating formats and streaming. */
export async function relay(
  { url, key, model }: { url: string; key: string; model: string },
  n: number,
): Promise<Outcome> {
  const client = CLIENTS[n % CLIENTS.length] as Client
  const stream = Math.floor(n / CLIENTS.length) % 2 === 0
  let status = 0
  let requestId = ''
  try {
    const response = await fetch(url + client.path(model, stream), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(client.body(model, stream)),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    status = response.status
    requestId = response.headers.get('x-request-id') ?? response.headers.get('request-id') ?? ''
    const received = await response.text()
    const streamed = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
    const end =
      status !== 200
        ? endOfError(received, client, requestId)
        : streamed
          ? endOfStream(received, client)
          : endOfBody(received, client)
    return { end, status, requestId, text: end === 'improper' ? received : '' }
  } catch (error) {
    return { end: 'improper', status, requestId, text: `${error} ${(error as Error).cause ?? ''}` }
  }
}

function endOfError(received: string, client: Client, requestId: string): End {
  const payload = parsed(received)
  return payload && client.isError(payload) && requestId !== '' && received.includes(requestId) ? 'refused' : 'improper'
}

function endOfBody(received: string, client: Client): End {
  const payload = parsed(received)
  return payload && client.isLast(payload, false) && client.content(payload) === WHOLE ? 'whole' : 'improper'
}

/** A stream ends with either its last event or an error, never both or neither. */
function endOfStream(received: string, client: Client): End {
  let output = ''
  let isWhole = false
  let isBroken = false
  for (const line of received.split('\n')) {
    if (!line.startsWith('data: ')) continue
    const data = line.slice('data: '.length)
    const payload = data === '[DONE]' ? data : parsed(data)
    if (!payload) return 'improper'
    if (payload !== '[DONE]') {
      isBroken ||= client.isError(payload)
      output += client.content(payload)
    }
    isWhole ||= client.isLast(payload, true)
  }
  if (isWhole === isBroken) return 'improper'
  if (isWhole) return output === WHOLE ? 'whole' : 'improper'
  return WHOLE.startsWith(output) ? 'broken' : 'improper'
}

function parsed(received: string): Json | undefined {
  try {
    return JSON.parse(received) as Json
  } catch {
    return undefined
  }
}
