import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ResponseKeeper } from '../responses-store/keeper.ts'
import type { Caller } from './authenticate.ts'

/** A client's request for the stages of a relay, independent of the router that received it. */
export interface RelayRequest {
  readonly id: string
  readonly raw: IncomingMessage
  readonly headers: IncomingHttpHeaders
  /** The client's address, also behind trusted proxies. */
  readonly ip: string
  /** Path and query. */
  readonly url: string
  /** The bytes, the stream of a form, or undefined. */
  readonly body: unknown
  /** Number of keys in a JSON body, at any depth, including repeated ones. */
  readonly bodyKeys: number
  /** The caller that the key identifies. */
  readonly caller: Caller | null
  /** Stores the response; null for requests of other formats. */
  readonly responseKeeper: ResponseKeeper | null
}

/** Takes over a request from Fastify, which no longer replies to it. */
export function takeFromFastify(request: FastifyRequest, reply: FastifyReply): RelayRequest {
  reply.hijack()
  const { id, raw, headers, ip, url, body, bodyKeys, caller, responseKeeper } = request
  return { id, raw, headers, ip, url, body, bodyKeys, caller, responseKeeper }
}
