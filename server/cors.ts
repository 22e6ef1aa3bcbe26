import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

const METHODS = 'GET,POST,PUT,DELETE,OPTIONS'
const MAX_AGE_S = '43200'
/** Allowed request headers if a preflight names none. */
const HEADERS_DEFAULT =
  'authorization,content-type,x-api-key,x-goog-api-key,api-key,mj-api-secret,anthropic-version,anthropic-beta,openai-beta,idempotency-key'
/** A list of header names: https://www.rfc-editor.org/rfc/rfc9110#name-field-names */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/
/** Reply headers that a script of another origin may read. */
const EXPOSED = [
  'x-request-id',
  'x-oneapi-request-id',
  'request-id',
  'retry-after',
  'x-should-retry',
  'openai-processing-ms',
  ...['limit', 'remaining', 'reset'].flatMap((kind) => [
    `x-ratelimit-${kind}-requests`,
    `x-ratelimit-${kind}-tokens`,
    `anthropic-ratelimit-requests-${kind}`,
    `anthropic-ratelimit-tokens-${kind}`,
  ]),
  'tollgate-version',
  'tollgate-omitted',
].join(',')

/**
 * Lets scripts of any origin read the reply. Use it for routes whose only credential is a key that the page sends, and
 * for public data. Never use it for routes with cookie authentication. Sets raw headers, because relay replies bypass
 * Fastify.
 */
export function allowAnyOrigin(request: FastifyRequest, reply: FastifyReply, done?: () => void): void {
  exposeToAnyOrigin(request.headers, reply.raw)
  done?.()
}

export function exposeToAnyOrigin({ origin }: IncomingHttpHeaders, response: ServerResponse): void {
  if (!origin) return
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('access-control-expose-headers', EXPOSED)
}

/**
 * Replies to a preflight. Allows the headers that the browser names, because `*` does not cover `Authorization`.
 * https://fetch.spec.whatwg.org/#http-access-control-allow-headers
 */
export function preflight({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const requested = headers['access-control-request-headers']
  return reply
    .code(204)
    .headers({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': requested && HEADER_NAMES.test(requested) ? requested : HEADERS_DEFAULT,
      'access-control-max-age': MAX_AGE_S,
      vary: 'access-control-request-headers',
    })
    .send()
}
