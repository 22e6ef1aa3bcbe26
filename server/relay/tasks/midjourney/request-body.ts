import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { GatewayError } from '../../../../core/errors.ts'
import { parseBody } from '../../admission.ts'
import type { Json } from '../../json.ts'

/** The JSON object that a client sent. Throws REQUEST_MALFORMED. */
export function bodyOf({ body }: FastifyRequest): Json {
  if (body instanceof Readable) {
    // Read on, or the refusal could not be answered.
    body.resume()
    throw new GatewayError('REQUEST_MALFORMED', { reason: 'the body must be JSON, not a form' })
  }
  return parseBody(body as Buffer | undefined)
}
