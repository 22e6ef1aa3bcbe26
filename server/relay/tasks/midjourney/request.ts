import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { GatewayError } from '../../../../core/errors.ts'
import { parseBody, queryOf, withoutKey } from '../../admission/admission.ts'
import type { Json } from '../../json.ts'

/** A request below `/mj`, or below a mode. */
export type DrawingRequest = FastifyRequest<{ Params: { mode?: string; id: string } }>

/** Prefix of modes that only select a proxy. Other modes are a part of the upstream's path. */
const PROXY_MODE_PREFIX = 'mj-'

/** Returns the upstream's path for a path below `/mj`, with the client's mode, and with the query without the client's key. */
export function upstreamPath(request: FastifyRequest, path: string): string {
  const { mode } = (request as DrawingRequest).params
  const prefix = mode === undefined || mode.startsWith(PROXY_MODE_PREFIX) ? '' : `/${mode}`
  const query = withoutKey(queryOf(request))
  return `${prefix}/mj/${path}${query && `?${query}`}`
}

/** Returns the client's JSON object. Throws REQUEST_MALFORMED. */
export function bodyOf({ body }: FastifyRequest): Json {
  if (body instanceof Readable) {
    // Read the remaining body, because the client can receive the error only after it has sent the body.
    body.resume()
    throw new GatewayError('REQUEST_MALFORMED', { reason: 'the body must be JSON, not a form' })
  }
  return parseBody(body as Buffer | undefined)
}
