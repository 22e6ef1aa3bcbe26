import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ResponseKeeper } from '../responses-store/keeper.ts'
import type { Caller } from './authenticate.ts'

/** A client's request as the stages of a relay read it, whichever router received it. */
export interface RelayRequest {
  readonly id: string
  readonly raw: IncomingMessage
  readonly headers: IncomingHttpHeaders
  /** The client's address, behind trusted proxies too. */
  readonly ip: string
  /** Path and query, as the routes have them. */
  readonly url: string
  /** The bytes, the stream of a form, or undefined. */
  readonly body: unknown
  /** How many keys are in a JSON body, at any depth, repeated ones too. */
  readonly bodyKeys: number
  /** Whose key it is. */
  readonly caller: Caller | null
  /** Stores the response; null for requests of other formats. */
  readonly responseKeeper: ResponseKeeper | null
}

/** A request that Fastify routed. Fastify does not reply to it any more. */
export function takeFromFastify(request: FastifyRequest, reply: FastifyReply): RelayRequest {
  reply.hijack()
  const { id, raw, headers, ip, url, body, bodyKeys, caller, responseKeeper } = request
  return { id, raw, headers, ip, url, body, bodyKeys, caller, responseKeeper }
}
