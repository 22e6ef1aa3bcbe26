import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { GatewayError } from '../../../../core/errors.ts'
import { parseBody, queryOf, withoutKey } from '../../admission/admission.ts'
import type { Json } from '../../json.ts'

/** A request below `/mj`, or below a word that says which mode is meant. */
export type DrawingRequest = FastifyRequest<{ Params: { mode?: string; id: string } }>

/** Modes that only proxies are asked by; upstreams that know modes themselves are asked below the others. */
const OF_PROXIES = 'mj-'

/** What an upstream is asked, for a path below `/mj`: with the client's mode and query, but without its key. */
export function upstreamPath(request: FastifyRequest, path: string): string {
  const { mode } = (request as DrawingRequest).params
  const prefix = mode === undefined || mode.startsWith(OF_PROXIES) ? '' : `/${mode}`
  const query = withoutKey(queryOf(request))
  return `${prefix}/mj/${path}${query && `?${query}`}`
}

/** The JSON object that a client sent. Throws REQUEST_MALFORMED. */
export function bodyOf({ body }: FastifyRequest): Json {
  if (body instanceof Readable) {
    // Read on, or the refusal could not be answered.
    body.resume()
    throw new GatewayError('REQUEST_MALFORMED', { reason: 'the body must be JSON, not a form' })
  }
  return parseBody(body as Buffer | undefined)
}
