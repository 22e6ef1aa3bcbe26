import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { queryOf } from './admission/admission.ts'
import { keyOf } from './admission/authenticate.ts'
import { cancelReply } from './delivery/interruption.ts'
import { type Json, parseObject } from './json.ts'

/** Names a call of this process to itself. Its value is a secret that no client has seen. */
const HEADER = 'tollgate-inner-call'
/** What goes on beside the key. */
const FORWARDED = ['accept-language', 'openai-beta', 'user-agent'] as const

export interface InnerReply {
  readonly status: number
  readonly body: Json
}

/** A reply as it arrives. */
export interface InnerStream {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly stream: Readable
}

export interface InnerCall<Reply> {
  readonly reply: Promise<Reply>
  /** Ends it at once: what was said until then is charged. */
  abort(): void
}

/** Who calls: the request of a client. */
export type InnerCaller = Pick<FastifyRequest, 'ip' | 'url'> & { readonly headers: IncomingHttpHeaders }

/** What is called; absent = Responses. */
interface Target {
  readonly path?: string
  readonly method?: 'GET' | 'POST'
}

/**
 * Requests that the gateway makes to itself for a client, under the client's key: each is a relay like any other, with its own hold and
 * charge.
 */
export class InnerCalls {
  private readonly app: FastifyInstance
  /** Calls that have not arrived yet, by their secret. */
  private readonly waiting = new Map<string, (reply: FastifyReply) => void>()

  constructor(app: FastifyInstance) {
    this.app = app
    app.addHook('onRequest', (request, reply, done) => {
      const secret = request.headers[HEADER]
      if (typeof secret === 'string') this.arrive(secret, reply)
      done()
    })
  }

  /** Calls with the credentials of a request. A stream is read to its end: the last response in it is the reply. */
  begin(caller: InnerCaller, body: Json, target: Target = {}): InnerCall<InnerReply> {
    const { options, ...call } = this.prepare(caller, body, target)
    const sent = this.app.inject(options)
    const reply = sent.then(({ statusCode, payload }) => ({ status: statusCode, body: lastOf(payload) }))
    return { reply: reply.finally(call.ended), abort: call.abort }
  }

  /** The same; the reply begins with its head, and its stream must be read. */
  stream(caller: InnerCaller, body: Json, target: Target = {}): InnerCall<InnerStream> {
    const { options, ...call } = this.prepare(caller, body, target)
    const sent = this.app.inject({ ...options, payloadAsStream: true })
    const reply = sent.then((head) => ({ status: head.statusCode, headers: head.headers, stream: head.stream() }))
    return { reply: reply.finally(call.ended), abort: call.abort }
  }

  /** Whether a request is one of these calls: what it makes is stored by the code that began it. */
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
    let isAborted = false
    let abort = () => {}
    this.waiting.set(secret, ({ raw }) => {
      abort = () => cancelReply(raw)
      if (isAborted) abort()
    })
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
      abort: () => {
        isAborted = true
        abort()
      },
    }
  }
}

const INNER = new WeakSet<FastifyReply>()

/** A JSON body, or the response of the last event of a stream. */
function lastOf(payload: string): Json {
  const whole = parseObject(payload)
  if (whole) return whole
  const lines = payload.split('\n').filter((line) => line.startsWith('data: {'))
  const last = parseObject(lines.at(-1)?.slice('data: '.length) ?? '')
  return (last?.response as Json | undefined) ?? last ?? {}
}
