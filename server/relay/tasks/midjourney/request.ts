import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { parseBody, queryOf, withoutKey } from '../../admission/admission.ts'
import { refuse } from '../../dialects/refuse.ts'
import type { Json } from '../../json.ts'

/** A request below `/mj` or below `/{mode}/mj`. */
export type DrawingRequest = FastifyRequest<{ Params: { mode?: string; id: string } }>

/** Prefix of modes that select a proxy, and so are not in the upstream's path. */
const PROXY_MODE_PREFIX = 'mj-'

/** Returns the upstream's path for a path below `/mj`, with the mode, and with the query without the client's key. */
export function upstreamPath(request: FastifyRequest, path: string): string {
  const { mode } = (request as DrawingRequest).params
  const prefix = mode === undefined || mode.startsWith(PROXY_MODE_PREFIX) ? '' : `/${mode}`
  const query = withoutKey(queryOf(request))
  return `${prefix}/mj/${path}${query && `?${query}`}`
}

/** Returns the client's JSON object. Throws REQUEST_MALFORMED. */
export function bodyOf({ body }: FastifyRequest): Json {
  if (body instanceof Readable) {
    // Many clients read the error only after they have sent the whole body.
    body.resume()
    refuse('the body must be JSON, not a form')
  }
  return parseBody(body as Buffer | undefined)
}
