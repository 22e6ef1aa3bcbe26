import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { payloadsOf } from '../../support/reply-types/check.ts'
import { FEATURES, type Feature, promptOf } from './meant.ts'

/** One request as an upstream of the matrix gets it. */
export interface Call {
  /** Below the upstream's own address, without a query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly raw: Buffer
  /** Empty when the body is no JSON. */
  readonly body: Record<string, unknown>
  /** What the prompt asks for; undefined for what is no conversation, such as a token. */
  readonly feature: Feature | undefined
  readonly response: ServerResponse
}

/** Answers one upstream's requests. */
export type StandIn = (call: Call) => unknown

/** A mock upstream: its HTTP replies, and its websocket messages if it has a websocket. */
export interface MockUpstream {
  readonly slug: string
  readonly answer: StandIn
  readonly socket?: (socket: WebSocket, hear: (message: Buffer) => Feature | undefined) => void
}

export interface MockUpstreams {
  urlOf(slug: string): string
  /** Every byte that this upstream was sent since it was last asked for, as text. */
  takeSent(slug: string): string
  /** Whether this upstream has sent this document or event, but for the model's name. */
  hasSent(slug: string, payload: unknown): boolean
}

/** All upstreams of the matrix on one port, each below a path of its own, with a record of the bytes that they are sent. */
export async function openMockUpstreams(mockUpstreams: readonly MockUpstream[]): Promise<MockUpstreams> {
  const bySlug = new Map(mockUpstreams.map((mockUpstream) => [mockUpstream.slug, mockUpstream]))
  const sent = new Map<string, Buffer[]>()
  const payloads = new Set<string>()
  const record = (slug: string, bytes: Buffer) => sent.set(slug, [...(sent.get(slug) ?? []), bytes])
  const mockUpstreamAt = (url: string) => {
    const { pathname, searchParams } = new URL(url, 'http://mock-upstreams')
    const [, slug = ''] = pathname.split('/')
    return { mockUpstream: bySlug.get(slug), path: pathname.slice(slug.length + 1), query: searchParams }
  }
  const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks)
    const { mockUpstream, path, query } = mockUpstreamAt(request.url ?? '')
    if (mockUpstream) record(mockUpstream.slug, raw)
    const { method = '', headers } = request
    const call: Call = { path, query, method, headers, raw, body: parsed(raw), feature: featureIn(raw), response }
    if (!mockUpstream) return notFound(call)
    recordWrites(response, (text) => {
      for (const payload of payloadsOf(text)) payloads.add(payloadKey(mockUpstream.slug, payload))
    })
    await mockUpstream.answer(call)
  })
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    const { mockUpstream } = mockUpstreamAt(request.url ?? '')
    if (!mockUpstream?.socket) return socket.destroy()
    const { slug, socket: talk } = mockUpstream
    sockets.handleUpgrade(request, socket, head, (open) =>
      talk(open, (message) => {
        record(slug, message)
        return featureIn(message)
      }),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    const closed = once(server, 'close')
    server.close()
    for (const client of sockets.clients) client.terminate()
    server.closeAllConnections()
    await closed
  })
  const { port } = server.address() as AddressInfo
  return {
    urlOf: (slug) => `http://127.0.0.1:${port}/${slug}`,
    takeSent(slug) {
      const bytes = sent.get(slug) ?? []
      sent.delete(slug)
      return Buffer.concat(bytes).toString('latin1')
    },
    hasSent: (slug, payload) => payloads.has(payloadKey(slug, payload)),
  }
}

/** Calls back with the whole text of a response once it is closed. */
function recordWrites(response: ServerResponse, closed: (text: string) => void): void {
  const chunks: Buffer[] = []
  const { write, end } = response
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string))
  }
  response.write = ((chunk: unknown, ...rest: unknown[]) => {
    keep(chunk)
    return Reflect.apply(write, response, [chunk, ...rest])
  }) as typeof write
  response.end = ((chunk: unknown, ...rest: unknown[]) => {
    keep(chunk)
    return Reflect.apply(end, response, [chunk, ...rest])
  }) as typeof end
  response.on('close', () => closed(Buffer.concat(chunks).toString('utf8')))
}

const payloadKey = (slug: string, payload: unknown) =>
  `${slug} ${JSON.stringify(payload, (name, value) => (name === 'model' ? '' : value))}`

/** Longer prompts first: none of them is to be taken for the beginning of another. */
function featureIn(raw: Buffer): Feature | undefined {
  return FEATURES.find((feature) => raw.includes(promptOf(feature)))
}

function parsed(raw: Buffer): Record<string, unknown> {
  try {
    return JSON.parse(raw.toString('utf8'))
  } catch {
    return {}
  }
}

export function sendJson({ response }: Call, body: unknown, { status = 200, headers = {} } = {}): void {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length, ...headers })
  response.end(bytes)
}

/** Replies 404 to an unknown path; the error contains the requested address. */
export function notFound(call: Call): void {
  sendJson(call, { error: { message: `Nothing at ${call.method} ${call.path}` } }, { status: 404 })
}

/** One answer for each path; a name in braces is any one part of a path. */
export function paths(answers: Readonly<Record<string, StandIn>>): StandIn {
  const compiled = Object.entries(answers).map(
    ([path, answer]) => [new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`), answer] as const,
  )
  return (call) => (compiled.find(([pattern]) => pattern.test(call.path))?.[1] ?? notFound)(call)
}

/**
 * Streams an answer: its bytes in two halves, wherever that cuts them. `broken`: the line goes dead after the first.
 */
export function sendStream(
  { response }: Call,
  wire: string | Buffer,
  { type = 'text/event-stream; charset=utf-8', broken = false } = {},
): void {
  const bytes = Buffer.from(wire as string)
  response.writeHead(200, { 'content-type': type })
  const half = Math.ceil(bytes.length / 2)
  if (broken) {
    response.write(bytes, () => response.destroy())
    return
  }
  response.write(bytes.subarray(0, half))
  response.end(bytes.subarray(half))
}

/** Server-sent events: payloads, or pairs of a name and a payload. Texts go as they are. */
export function events(...list: readonly (unknown | readonly [string, unknown])[]): string {
  return list
    .map((entry) => {
      const [name, data] = Array.isArray(entry) ? entry : ['', entry]
      return `${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
    })
    .join('')
}
