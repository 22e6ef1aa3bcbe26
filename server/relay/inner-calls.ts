import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseObject } from '../../core/input.ts'
import { queryOf } from './admission/admission.ts'
import { apiKeyOf } from './admission/authenticate.ts'
import { cancelReply } from './delivery/interruption.ts'
import type { Json } from './json.ts'
import { createEventSplitter, eventData, eventsIn } from './transport/sse.ts'

/** Header that marks a call of this process to itself. Its value is a random secret that clients never see. */
const INNER_CALL_HEADER = 'tollgate-inner-call'
/** Headers of the client, besides its key, that an inner call forwards. */
const FORWARDED_HEADERS = ['accept-language', 'openai-beta', 'user-agent'] as const

export interface InnerReply {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Json
}

/** A reply whose status and headers have arrived, and whose body is still arriving. */
export interface InnerStream {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly stream: Readable
}

export interface InnerCall<Reply> {
  readonly reply: Promise<Reply>
  /** Ends the call at once. The output so far is charged. */
  abort(): void
  /** Disconnects from the call's relay, which handles this like the disconnect of any client. */
  disconnect(): void
}

/** The client's request that caused the inner call. */
type InnerCaller = Pick<FastifyRequest, 'ip' | 'url'> & { readonly headers: IncomingHttpHeaders }

/** The route to call. Absent means POST /v1/responses. */
interface Target {
  readonly path?: string
  readonly method?: 'GET' | 'POST'
}

/**
 * Requests that the gateway makes to its own routes for a client, with the client's key. Each is an ordinary relay with
 * its own hold and charge.
 */
export class InnerCalls {
  /** Callbacks of the calls that have not reached the `onRequest` hook yet, by secret. */
  private readonly waiting = new Map<string, (reply: FastifyReply) => void>()

  constructor(private readonly app: FastifyInstance) {
    app.addHook('onRequest', (request, reply, done) => {
      const secret = request.headers[INNER_CALL_HEADER]
      if (typeof secret === 'string') this.handleArrival(secret, reply)
      done()
    })
  }

  /** Calls a route with the client's key. If the reply is a stream, returns the response in its last event. */
  begin(caller: InnerCaller, body: Json, target: Target = {}): InnerCall<InnerReply> {
    const { options, ended, ...call } = this.prepare(caller, body, target)
    const injected = this.app.inject(options)
    const reply = injected.then(({ statusCode, headers, payload }) => ({
      status: statusCode,
      headers,
      body: lastResponseIn(payload),
    }))
    return { ...call, reply: reply.finally(ended) }
  }

  /** Like `begin`, but resolves when the head of the reply arrives. The caller must read the stream of the reply. */
  stream(caller: InnerCaller, body: Json, target: Target = {}): InnerCall<InnerStream> {
    const { options, ended, ...call } = this.prepare(caller, body, target)
    const injected = this.app.inject({ ...options, payloadAsStream: true })
    const reply = injected.then((head) => ({ status: head.statusCode, headers: head.headers, stream: head.stream() }))
    return { ...call, reply: reply.finally(ended) }
  }

  /** Whether a reply belongs to an inner call. If so, the code that began the call stores the output of the reply. */
  isInner(reply: FastifyReply): boolean {
    return INNER_REPLIES.has(reply)
  }

  private handleArrival(secret: string, reply: FastifyReply): void {
    const onArrival = this.waiting.get(secret)
    if (!onArrival) return
    this.waiting.delete(secret)
    INNER_REPLIES.add(reply)
    onArrival(reply)
  }

  private prepare(caller: InnerCaller, body: Json, { path = '/v1/responses', method = 'POST' }: Target) {
    const secret = randomUUID()
    let innerResponse: ServerResponse | undefined
    let end: ((response: ServerResponse) => void) | undefined
    this.waiting.set(secret, ({ raw }) => {
      innerResponse = raw
      end?.(raw)
    })
    const endWith = (endResponse: (response: ServerResponse) => void) => () => {
      end = endResponse
      if (innerResponse) endResponse(innerResponse)
    }
    const key = apiKeyOf(caller.headers, queryOf(caller))
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
      [INNER_CALL_HEADER]: secret,
    }
    for (const name of FORWARDED_HEADERS) {
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
      abort: endWith(cancelReply),
      disconnect: endWith((response) => response.destroy()),
    }
  }
}

/** Headers of an inner call's reply that the client also gets. */
const PASSED_HEADERS = ['retry-after', 'x-should-retry', 'tollgate-omitted'] as const

/** Copies the headers in `PASSED_HEADERS` from an inner call's reply to the client's reply. */
export function passHeaders(reply: FastifyReply, { headers }: Pick<InnerReply, 'headers'>): void {
  for (const name of PASSED_HEADERS) {
    const value = headers[name]
    if (typeof value === 'string') reply.header(name, value)
  }
}

const INNER_REPLIES = new WeakSet<FastifyReply>()

/** Returns a JSON body, or the response in the last event of a stream, or `{}` if the payload has neither. */
function lastResponseIn(payload: string): Json {
  const object = parseObject(payload)
  if (object) return object
  const splitter = createEventSplitter({ bytesMax: Number.POSITIVE_INFINITY })
  const events = [...eventsIn(splitter, Buffer.from(payload)), splitter.flush()]
  const lastObject = events.findLast((event) => eventData(event).startsWith('{'))
  const lastEvent = lastObject && parseObject(eventData(lastObject))
  return (lastEvent?.response as Json | undefined) ?? lastEvent ?? {}
}
