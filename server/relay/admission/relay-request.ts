import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ResponseKeeper } from '../responses-store/keeper.ts'
import type { Caller } from './authenticate.ts'

/** A client's request for a relay. `listener.ts` or Fastify has received it. */
export interface RelayRequest {
  readonly id: string
  readonly raw: IncomingMessage
  readonly headers: IncomingHttpHeaders
  /** The client's address. Behind trusted proxies, the address that they forward. */
  readonly ip: string
  readonly url: string
  /** A JSON body as a Buffer, a form as a stream, or undefined if there is no body. */
  readonly body: unknown
  /** Number of keys in a JSON body, at any depth, including repeated ones. */
  readonly bodyKeys: number
  /** The caller that the API key identifies, or null without an API key. */
  readonly caller: Caller | null
  /** Stores the response to a request in the Responses format. Null for other formats. */
  readonly responseKeeper: ResponseKeeper | null
}

/** Takes over a request from Fastify, which then sends no reply. */
export function takeFromFastify(request: FastifyRequest, reply: FastifyReply): RelayRequest {
  reply.hijack()
  const { id, raw, headers, ip, url, body, bodyKeys, caller, responseKeeper } = request
  return { id, raw, headers, ip, url, body, bodyKeys, caller, responseKeeper }
}
