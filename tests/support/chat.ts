import { expect } from 'vitest'

/** A reply as the client received it, read to its end. */
export interface Answer {
  status: number
  headers: Headers
  requestId: string
  text: string
  /** The JSON body; undefined if invalid or cut off. */
  json: Record<string, unknown> & { error?: WireError; choices?: unknown; usage?: unknown }
  /** The events of a stream, without `[DONE]`. */
  events: Payload[]
  /** The text of all chunks of a stream, or of the first choice. */
  content: string
  /** Whether clients regard the reply as complete: a valid JSON body, or a stream with `[DONE]`. */
  complete: boolean
}
export interface WireError {
  message: string
  type: string
  param: string | null
  code: string | null
}
interface Choice {
  delta?: { content?: string | null }
  message?: { content?: string | null }
}
export type Payload = { choices?: Choice[]; usage?: unknown; error?: WireError; model?: string; id?: string }

export interface Call {
  url: string
  key?: string | undefined
  path?: string
  /** An object, or a raw body. */
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** Posts to a gateway and reads the whole reply. Rejects if the connection breaks before a reply. */
export async function post(call: Call): Promise<Answer> {
  const response = await send(call)
  const bytes = await readAll(response)
  const text = bytes.text
  const streamed = (response.headers.get('content-type') ?? '').startsWith('text/event-stream')
  const events = streamed ? eventsOf(text) : []
  const json = streamed ? undefined : parsed(text)
  const choices = streamed
    ? events.flatMap(({ choices }) => choices?.slice(0, 1) ?? [])
    : ((json?.choices ?? []) as Choice[])
  return {
    status: response.status,
    headers: response.headers,
    requestId: response.headers.get('x-oneapi-request-id') ?? '',
    text,
    json: (json ?? {}) as Answer['json'],
    events,
    content: choices.map(({ delta, message }) => delta?.content ?? message?.content ?? '').join(''),
    complete: bytes.ended && (streamed ? /data: ?\[DONE\]\s*$/.test(text) : json !== undefined),
  }
}

/** Posts, and resolves once the reply's headers have arrived. */
export function send({ url, key, path = '/v1/chat/completions', body, headers = {}, signal }: Call): Promise<Response> {
  const raw = typeof body === 'string' || Buffer.isBuffer(body) ? (body as BodyInit) : undefined
  return fetch(url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: raw ?? JSON.stringify(body),
    ...(signal && { signal }),
  })
}

async function readAll(response: Response): Promise<{ text: string; ended: boolean }> {
  const parts: Uint8Array[] = []
  try {
    for await (const part of response.body ?? []) parts.push(part)
    return { text: Buffer.concat(parts).toString('utf8'), ended: true }
  } catch {
    return { text: Buffer.concat(parts).toString('utf8'), ended: false }
  }
}

export function eventsOf(text: string): Payload[] {
  return text
    .split(/\r?\n\r?\n/)
    .map((block) => block.replace(/^data: ?/, ''))
    .filter((data) => data.startsWith('{'))
    .flatMap((data) => (parsed(data) as Payload | undefined) ?? [])
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The smallest chat request. */
export const ask = (model: string, more: Record<string, unknown> = {}) => ({
  model,
  messages: [{ role: 'user', content: 'hello' }],
  ...more,
})

/** Expects an error in OpenAI's shape, with our request id in its message. */
export function expectRefusal(answer: Answer, { status, code }: { status: number; code: string | null }): void {
  expect({ status: answer.status, error: answer.json.error }).toMatchObject({
    status,
    error: { message: expect.stringContaining(`(request id: ${answer.requestId})`), type: expect.any(String), code },
  })
  expect(Object.keys(answer.json.error ?? {}).sort()).toEqual(['code', 'message', 'param', 'type'])
  expect(answer.requestId).not.toBe('')
}
