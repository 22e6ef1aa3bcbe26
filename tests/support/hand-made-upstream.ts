import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { whenDone } from './lifetime.ts'

/** One request as received by an upstream. */
export interface Exchange {
  /** Path with its query string. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly raw: Buffer
  readonly body: Record<string, unknown>
  readonly response: ServerResponse
  /** Whether the reply ended normally; `false` if the gateway disconnected, undefined while open. */
  whole: boolean | undefined
}

export interface HandMadeUpstream {
  url: string
  /** All requests so far, oldest first. */
  seen: Exchange[]
}

/** Starts an upstream that handles each request with `answer`. Closes with the test. */
export async function startUpstream(
  answer: (exchange: Exchange) => unknown,
  { address = '127.0.0.1' } = {},
): Promise<HandMadeUpstream> {
  const seen: Exchange[] = []
  const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks)
    const { url: path = '', headers } = request
    const exchange: Exchange = { path, headers, raw, body: parsed(raw), response, whole: undefined }
    response.once('close', () => {
      exchange.whole = response.writableFinished
    })
    seen.push(exchange)
    await answer(exchange)
  })
  server.listen(0, address)
  await once(server, 'listening')
  whenDone(async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  })
  return { url: `http://${address}:${(server.address() as AddressInfo).port}`, seen }
}

function parsed(raw: Buffer): Record<string, unknown> {
  try {
    return JSON.parse(raw.toString('utf8'))
  } catch {
    return {}
  }
}

/** Returns the only request to an upstream. */
export function onlyRequest({ seen }: HandMadeUpstream): Exchange {
  const [exchange, ...others] = seen
  if (!exchange || others.length) throw new Error(`The upstream was asked ${seen.length} times, not once`)
  return exchange
}

export interface ReportedUsage {
  prompt_tokens: number
  completion_tokens: number
  [detail: string]: unknown
}

export const usage = (prompt_tokens: number, completion_tokens: number): ReportedUsage => ({
  prompt_tokens,
  completion_tokens,
  total_tokens: prompt_tokens + completion_tokens,
})

export function sendJson({ response }: Exchange, body: unknown, status = 200, headers = {}): void {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length, ...headers })
  response.end(bytes)
}

/** A complete chat completion. */
export function completion(text: string, reported?: ReportedUsage | null, more: Record<string, unknown> = {}) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'upstream-model',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    ...(reported !== undefined && { usage: reported }),
    ...more,
  }
}

/** One chunk of a streamed chat completion. */
export function chunk(delta: Record<string, unknown>, finish_reason: string | null = null, more = {}) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'upstream-model',
    choices: [{ index: 0, delta, finish_reason }],
    ...more,
  }
}

export const say = (content: string) => chunk({ content })
export const stopChunk = (reason = 'stop') => chunk({}, reason)
export const usageChunk = (reported: ReportedUsage) => ({ ...chunk({}), choices: [], usage: reported })

export const event = (payload: unknown): string =>
  `data: ${typeof payload === 'string' ? payload : JSON.stringify(payload)}\n\n`
export const DONE = 'data: [DONE]\n\n'

export function startStream({ response }: Exchange): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  response.flushHeaders()
}

/** Sends a stream of these payloads and `[DONE]`. */
export function sendStream(exchange: Exchange, payloads: readonly unknown[], end = DONE): void {
  startStream(exchange)
  exchange.response.end(payloads.map(event).join('') + end)
}
