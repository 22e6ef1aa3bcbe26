import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { answerChat, answerPrompts, type DemoAnswer } from './answer.ts'
import { BENCH_MODEL, createBenchReplies } from './bench.ts'
import { answerEmbeddings } from './embeddings.ts'
import { Refusal } from './refusal.ts'
import { body, CHAT, type DemoReply, frames, replyUsage, type Shape, TEXT } from './reply.ts'
import { type DemoRequest, readAsk, readChat, readInputs, readObject } from './request.ts'
import { type DemoEnding, type DemoPace, sendAnswer, sendJson, sendStream } from './send.ts'
import { chatTokens, inputTokens } from './usage.ts'

/**
 * Model names of the simulated upstream, an OpenAI-compatible server without a real model. Users can try `tollgate`
 * with it without an account at a vendor. Tests and benchmarks also use it. The server accepts any other model name
 * like `sim-chat`.
 */
export const SIMULATED_MODELS = [
  'sim-chat',
  'sim-embedding',
  BENCH_MODEL, // `max_tokens` constant pieces
  'sim-slow', // two seconds before its first token
  'sim-break', // destroys the connection in the middle of the reply
  'sim-no-usage', // never reports usage
  'sim-fail', // 500
  'sim-429', // 429 with Retry-After
] as const

export interface SimulatedUpstreamOptions {
  host?: string
  /** 0 means any free port. */
  port?: number
  /** Rate of a stream. 0 means as fast as the socket accepts it. */
  tokensPerSecond?: number
  firstTokenMs?: number
}

interface SimulatedUpstream {
  /** `http://host:port`, without a path. */
  url: string
  /** Closes the server at once, with all open connections. */
  close(): Promise<void>
}

const SLOW_MS = 2_000
/** Total and used budget that every account reports. */
const BUDGET_USD = 100
const USED_CENTS = 2_500
const BODY_BYTES_MAX = 32 * 1_024 * 1_024
/** Longer than clients keep idle connections, so that the server closes no connection that a client is about to use. */
const KEEP_ALIVE_MS = 75_000

/** Starts the server, which listens until `close`. Throws errors of `listen`, such as `EADDRINUSE`. */
export async function startSimulatedUpstream({
  host = '127.0.0.1',
  port = 0,
  tokensPerSecond = 0,
  firstTokenMs = 0,
}: SimulatedUpstreamOptions = {}): Promise<SimulatedUpstream> {
  const answer = createRoutes({ tokensPerSecond, firstTokenMs })
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    answer(request, response).catch((error: unknown) => refuse(response, error))
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has an address with a port')
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

type Handler = (response: ServerResponse, posted: Buffer) => void

function createRoutes(pace: DemoPace): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const bench = createBenchReplies()
  let replies = 0

  const reply = (
    response: ServerResponse,
    shape: Shape,
    ask: DemoRequest,
    promptTokens: number,
    answers: DemoAnswer[],
  ) => {
    const usage = ask.model === 'sim-no-usage' ? undefined : replyUsage(promptTokens, answers)
    const id = `${shape === CHAT ? 'chatcmpl' : 'cmpl'}-sim${++replies}`
    const replyData: DemoReply = { id, created: Math.floor(Date.now() / 1_000), ask, answers, usage }
    const ending: DemoEnding = ask.model === 'sim-break' ? 'break' : 'whole'
    const modelPace = ask.model === 'sim-slow' ? { ...pace, firstTokenMs: SLOW_MS } : pace
    if (!ask.stream) sendAnswer(response, body(shape, replyData), modelPace, ending)
    else if (ending === 'whole') sendStream(response, frames(shape, replyData), modelPace, ending)
    else sendStream(response, firstHalf(frames(shape, replyData)), modelPace, ending)
  }

  const routes: Record<string, Handler> = {
    'POST /v1/chat/completions'(response, posted) {
      const ask = readChat(readRequest(posted))
      if (!ask.model.startsWith(BENCH_MODEL)) reply(response, CHAT, ask, chatTokens(ask.messages), answerChat(ask))
      else if (ask.stream) sendStream(response, bench.frames(ask), pace, 'whole')
      else sendAnswer(response, bench.body(ask), pace, 'whole')
    },
    'POST /v1/completions'(response, posted) {
      const request = readRequest(posted)
      const ask = readAsk(request)
      const prompts = readInputs(request, 'prompt')
      const promptTokens = prompts.reduce((sum, prompt) => sum + inputTokens(prompt), 0)
      reply(response, TEXT, ask, promptTokens, answerPrompts(ask, prompts))
    },
    'POST /v1/embeddings'(response, posted) {
      sendJson(response, 200, answerEmbeddings(readRequest(posted)))
    },
    'GET /v1/models'(response) {
      const data = SIMULATED_MODELS.map((id) => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'tollgate' }))
      sendJson(response, 200, JSON.stringify({ object: 'list', data }))
    },
    'GET /v1/dashboard/billing/subscription'(response) {
      sendJson(response, 200, JSON.stringify({ has_payment_method: true, hard_limit_usd: BUDGET_USD }))
    },
    'GET /v1/dashboard/billing/usage'(response) {
      sendJson(response, 200, JSON.stringify({ object: 'list', total_usage: USED_CENTS }))
    },
  }

  return async (request, response) => {
    const path = request.url?.split('?', 1)[0] ?? ''
    const handler = routes[`${request.method} ${path}`]
    const posted = await readBody(request)
    if (!handler) throw new Refusal(404, `Invalid URL (${request.method} ${path})`)
    if (!/^Bearer \S/i.test(request.headers.authorization ?? '')) throw unauthenticated()
    handler(response, posted)
  }
}

/** Returns the posted object. Throws the error of a model that always fails. */
function readRequest(posted: Buffer) {
  const request = readObject(posted)
  if (request.model === 'sim-fail') {
    throw new Refusal(500, 'The server had an error while processing your request.', { type: 'server_error' })
  }
  if (request.model === 'sim-429') {
    const detail = { type: 'requests', code: 'rate_limit_exceeded', headers: { 'retry-after': '1' } }
    throw new Refusal(429, 'Rate limit reached for sim-429. Please try again in 1s.', detail)
  }
  return request
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= BODY_BYTES_MAX) chunks.push(chunk)
  })
  await once(request, 'end')
  if (bytes > BODY_BYTES_MAX) throw new Refusal(413, `The body is larger than ${BODY_BYTES_MAX} bytes.`)
  return Buffer.concat(chunks)
}

/** Returns the first half of the frames, but at least one frame, so that clients get a truncated stream. */
function firstHalf(whole: Iterable<string>): Iterator<string> {
  const allFrames = [...whole]
  return allFrames.slice(0, Math.max(1, Math.floor(allFrames.length / 2)))[Symbol.iterator]()
}

function unauthenticated(): Refusal {
  return new Refusal(401, "You didn't provide an API key. Send it in an Authorization header: Bearer YOUR_KEY.", {
    code: 'invalid_api_key',
  })
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.destroyed || response.headersSent) response.destroy()
  else if (error instanceof Refusal) sendJson(response, error.status, error.body, error.headers)
  else sendJson(response, 500, new Refusal(500, String(error), { type: 'server_error' }).body)
}
