import { setTimeout as sleep } from 'node:timers/promises'
import {
  chunk,
  completion,
  type Exchange,
  event,
  type HandMadeUpstream,
  sendJson,
  sendStream,
  startStream,
  startUpstream,
  stopChunk,
  usage,
  usageChunk,
} from '../hand-made-upstream.ts'

/** The text of every complete reply, in pieces. */
export const PIECES = ['one ', 'two ', 'three ', 'four ', 'five ', 'six ']
export const WHOLE = PIECES.join('')
const USAGE = usage(11, 6)
const BODY = completion(WHOLE, USAGE)

/** How an upstream fails; all are equally likely. */
export const WAYS = ['500', 'reset', 'hang', '429', 'garbage'] as const
export type Way = (typeof WAYS)[number]

export interface FlakyUpstream extends HandMadeUpstream {
  requests: number
  /** Number of failures by kind. */
  failed: Record<Way, number>
}

/** Starts an upstream in OpenAI's format that fails a `share` of all requests, in one of five ways. */
export async function startFlakyUpstream(random: () => number, share: number): Promise<FlakyUpstream> {
  const failed = Object.fromEntries(WAYS.map((way) => [way, 0])) as Record<Way, number>
  const counts = { requests: 0, failed }
  const upstream = await startUpstream(async (exchange) => {
    // Forget requests, because thousands would accumulate.
    upstream.seen.length = 0
    counts.requests += 1
    if (random() >= share) {
      answer(exchange)
      return
    }
    const way = WAYS[Math.floor(random() * WAYS.length)] as Way
    failed[way] += 1
    await FAILURES[way](exchange, random)
  })
  return Object.assign(counts, upstream)
}

function answer(exchange: Exchange): void {
  if (exchange.body.stream !== true) sendJson(exchange, BODY)
  else sendStream(exchange, [...PIECES.map((content) => chunk({ content })), stopChunk(), usageChunk(USAGE)])
}

const FAILURES: Record<Way, (exchange: Exchange, random: () => number) => unknown> = {
  '500': (exchange) =>
    sendJson(exchange, { error: { message: 'The server had an error', type: 'server_error', code: null } }, 500),

  /** The connection breaks in the middle of the reply. */
  async reset(exchange, random) {
    const { response, body } = exchange
    if (body.stream === true) {
      startStream(exchange)
      const pieceCount = Math.floor(random() * PIECES.length)
      for (const content of PIECES.slice(0, pieceCount)) response.write(event(chunk({ content })))
    } else {
      const text = JSON.stringify(BODY)
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
      response.write(text.slice(0, text.length * random()))
    }
    // First, let the written data be sent.
    await sleep(1)
    response.socket?.resetAndDestroy()
  },

  /** Sends nothing until the gateway times out. */
  hang: () => undefined,

  '429': (exchange) =>
    sendJson(
      exchange,
      { error: { message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' } },
      429,
      {
        'retry-after': '1',
      },
    ),

  /** The reply of a broken proxy, or an invalid stream that does not end. */
  garbage(exchange, random) {
    const { response, body } = exchange
    if (body.stream === true && random() < 0.5) sendStream(exchange, ['{"choices": [{"del'], '')
    else {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<html><body><h1>Welcome to nginx!</h1></body></html>')
    }
  },
}
