import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { queryOf } from '../admission/admission.ts'
import { cancelReply } from '../delivery/interruption.ts'
import { type Json, parseObject } from '../json.ts'

/** Names a call of this process to itself. Its value is a secret that no client has seen. */
const HEADER = 'tollgate-inner-call'
/** What tells who calls, and in which language. */
const FORWARDED = [
  'authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'accept-language',
  'openai-beta',
  'user-agent',
] as const
const PATH = '/v1/responses'

export interface InnerReply {
  readonly status: number
  readonly body: Json
}

export interface InnerCall {
  readonly reply: Promise<InnerReply>
  /** Ends it at once: what was said until then is charged. */
  abort(): void
}

/**
 * Responses requests that the gateway makes itself for a client, under the client's key: each is a relay like any other, with its own
 * hold and charge.
 */
export class InnerCalls {
  private readonly app: FastifyInstance
  /** Calls that have not arrived yet, by their secret. */
  private readonly waiting = new Map<string, (reply: FastifyReply) => void>()

  constructor(app: FastifyInstance) {
    this.app = app
  }

  /** Sends a body with the credentials of a request. A stream is read to its end: the last response in it is the reply. */
  begin(request: FastifyRequest, body: Json): InnerCall {
    const secret = randomUUID()
    let isAborted = false
    let abort = () => {}
    this.waiting.set(secret, ({ raw }) => {
      abort = () => cancelReply(raw)
      if (isAborted) abort()
    })
    const headers: Record<string, string> = { 'content-type': 'application/json', [HEADER]: secret }
    for (const name of FORWARDED) {
      const value = request.headers[name]
      if (typeof value === 'string') headers[name] = value
    }
    const query = queryOf(request)
    const sent = this.app.inject({
      method: 'POST',
      url: query === '' ? PATH : `${PATH}?${query}`,
      remoteAddress: request.ip,
      headers,
      payload: JSON.stringify(body),
    })
    const reply = sent
      .then(({ statusCode, payload }) => ({ status: statusCode, body: lastOf(payload) }))
      .finally(() => this.waiting.delete(secret))
    return {
      reply,
      abort: () => {
        isAborted = true
        abort()
      },
    }
  }

  /** Whether a request is one of these calls: what it makes is stored by whoever began it. */
  claim(request: FastifyRequest, reply: FastifyReply): boolean {
    const secret = request.headers[HEADER]
    if (typeof secret !== 'string') return false
    const arrived = this.waiting.get(secret)
    this.waiting.delete(secret)
    arrived?.(reply)
    return arrived !== undefined
  }
}

/** A JSON body, or the response of the last event of a stream. */
function lastOf(payload: string): Json {
  const whole = parseObject(payload)
  if (whole) return whole
  const lines = payload.split('\n').filter((line) => line.startsWith('data: {'))
  const last = parseObject(lines.at(-1)?.slice('data: '.length) ?? '')
  return (last?.response as Json | undefined) ?? last ?? {}
}
