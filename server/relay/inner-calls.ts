import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { queryOf } from './admission/admission.ts'
import { keyOf } from './admission/authenticate.ts'
import { cancelReply } from './delivery/interruption.ts'
import { type Json, parseObject } from './json.ts'

/** Header that marks a call of this process to itself. Its value is a secret that clients never see. */
const HEADER = 'tollgate-inner-call'
/** The headers that are forwarded besides the key. */
const FORWARDED = ['accept-language', 'openai-beta', 'user-agent'] as const

export interface InnerReply {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Json
}

/** A reply that is still arriving. */
export interface InnerStream {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly stream: Readable
}

export interface InnerCall<Reply> {
  readonly reply: Promise<Reply>
  /** Ends the call at once; output so far is charged. */
  abort(): void
  /** Reports the client's disconnect: further output of the upstream is charged, as for any relay. */
  disconnect(): void
}

/** The request of the client for which the call is made. */
export type InnerCaller = Pick<FastifyRequest, 'ip' | 'url'> & { readonly headers: IncomingHttpHeaders }

/** The route to call; absent = Responses. */
interface Target {
  readonly path?: string
  readonly method?: 'GET' | 'POST'
}

/**
 * Requests that the gateway makes to itself for a client, under the client's key. Each is an ordinary relay with its own hold
 * and charge.
 */
export class InnerCalls {
  private readonly app: FastifyInstance
  /** Calls that have not reached the `onRequest` hook yet, by their secret. */
  private readonly waiting = new Map<string, (reply: FastifyReply) => void>()

  constructor(app: FastifyInstance) {
    this.app = app
    app.addHook('onRequest', (request, reply, done) => {
      const secret = request.headers[HEADER]
      if (typeof secret === 'string') this.arrive(secret, reply)
      done()
    })
  }

  /** Calls with the credentials of a request. Reads a stream to its end and returns the last response in it. */
  begin(caller: InnerCaller, body: Json, target: Target = {}): InnerCall<InnerReply> {
    const { options, ended, ...call } = this.prepare(caller, body, target)
    const sent = this.app.inject(options)
    const reply = sent.then(({ statusCode, headers, payload }) => ({
      status: statusCode,
      headers,
      body: lastOf(payload),
    }))
    return { ...call, reply: reply.finally(ended) }
  }

  /** Like `begin`, but resolves with the head of the reply; the caller must read its stream. */
  stream(caller: InnerCaller, body: Json, target: Target = {}): InnerCall<InnerStream> {
    const { options, ended, ...call } = this.prepare(caller, body, target)
    const sent = this.app.inject({ ...options, payloadAsStream: true })
    const reply = sent.then((head) => ({ status: head.statusCode, headers: head.headers, stream: head.stream() }))
    return { ...call, reply: reply.finally(ended) }
  }

  /** Whether a request is one of these calls: the code that began the call stores its output. */
  isInner(reply: FastifyReply): boolean {
    return INNER.has(reply)
  }

  private arrive(secret: string, reply: FastifyReply): void {
    const arrived = this.waiting.get(secret)
    if (!arrived) return
    this.waiting.delete(secret)
    INNER.add(reply)
    arrived(reply)
  }

  private prepare(caller: InnerCaller, body: Json, { path = '/v1/responses', method = 'POST' }: Target) {
    const secret = randomUUID()
    let inner: ServerResponse | undefined
    let end: ((reply: ServerResponse) => void) | undefined
    this.waiting.set(secret, ({ raw }) => {
      inner = raw
      end?.(raw)
    })
    const endBy = (work: (reply: ServerResponse) => void) => () => {
      end = work
      if (inner) work(inner)
    }
    const key = keyOf(caller.headers, queryOf(caller))
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
      [HEADER]: secret,
    }
    for (const name of FORWARDED) {
      const value = caller.headers[name]
      if (typeof value === 'string') headers[name] = value
    }
    const options = {
      method,
      url: path,
      remoteAddress: caller.ip,
      headers,
      ...(method === 'POST' && { payload: JSON.stringify(body) }),
    }
    return {
      options,
      ended: () => void this.waiting.delete(secret),
      abort: endBy(cancelReply),
      disconnect: endBy((reply) => reply.destroy()),
    }
  }
}

/** Headers of an inner call's reply that its client gets too. */
const PASSED = ['retry-after', 'x-should-retry', 'tollgate-omitted'] as const

/** Sets the headers of an inner call's reply that matter to the client. */
export function passHeaders(reply: FastifyReply, { headers }: Pick<InnerReply, 'headers'>): void {
  for (const name of PASSED) {
    const value = headers[name]
    if (typeof value === 'string') reply.header(name, value)
  }
}

const INNER = new WeakSet<FastifyReply>()

/** Returns a JSON body, or the response in the last event of a stream. */
function lastOf(payload: string): Json {
  const whole = parseObject(payload)
  if (whole) return whole
  const lines = payload.split('\n').filter((line) => line.startsWith('data: {'))
  const last = parseObject(lines.at(-1)?.slice('data: '.length) ?? '')
  return (last?.response as Json | undefined) ?? last ?? {}
}
