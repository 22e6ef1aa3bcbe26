import type { FastifyReply, FastifyRequest } from 'fastify'
import { GatewayError } from '../core/errors.ts'
import { chooseLanguage } from '../core/messages/language.ts'
import type { RequestLimiter } from './api/limits.ts'
import { allowAnyOrigin, preflight } from './cors.ts'
import { errorForClient } from './relay/delivery/error.ts'
import { DIALECTS } from './relay/dialects/dialects.ts'
import { cohereError } from './relay/facades/cohere.ts'
import { ollamaError } from './relay/facades/ollama.ts'
import { dialectOfUnknown } from './relay/paths/path-dialect.ts'
import { drawingRefusal } from './relay/tasks/midjourney/refusal.ts'
import { sunoRefusal } from './relay/tasks/suno/refusal.ts'
import { INERT } from './security-headers.ts'

/** Writers of error replies for unknown paths of tasks, by path prefix. */
const TASK_REFUSALS = [
  ['/mj/', drawingRefusal],
  ['/suno/', sunoRefusal],
] as const

/** Path prefix of Cohere. No other vendor has paths of version 2. */
const COHERE = '/v2/'
/**
 * Paths of Ollama that the gateway does not serve. They share the prefix `/api/` with the management API.
 * https://docs.ollama.com/api
 */
const OLLAMA = /^\/api\/(?:show|ps|pull|push|create|copy|delete|blobs\/.*)$/

/** Sends the documented error for an unknown path, in the format of the vendor that uses such paths. */
export async function invalidUrl(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const [path = ''] = request.originalUrl.split('?')
  reply.headers(INERT)
  const refuse = TASK_REFUSALS.find(([prefix]) => path.startsWith(prefix))?.[1]
  if (refuse) {
    const language = chooseLanguage(request.headers['accept-language'], 'en')
    const { body } = refuse(new GatewayError('PATH_UNKNOWN', { path }), { requestId: request.id, language })
    return reply.code(404).send(body)
  }
  const message = `Invalid URL (${request.method} ${path})`
  if (path.startsWith(COHERE)) return reply.code(404).send(cohereError(404, message))
  if (OLLAMA.test(path)) return reply.code(404).send(ollamaError(404, message))
  const dialect = dialectOfUnknown(path, request.headers)
  if (dialect !== 'openai-chat') {
    const unknown = new GatewayError('PATH_UNKNOWN', { path })
    const language = chooseLanguage(request.headers['accept-language'], 'en')
    const refusal = errorForClient(unknown, { requestId: request.id, language })
    const { body, headers = {} } = DIALECTS[dialect].error(refusal)
    return reply.code(404).headers(headers).send(body)
  }
  return reply.code(404).send({ error: { message, type: 'invalid_request_error', param: '', code: '' } })
}

/**
 * Handles requests without a route. Preflights succeed for every path. A successful preflight grants nothing, because a
 * script can read a reply only if the reply to the actual request has CORS headers.
 */
export const unknownPath =
  (limiter: RequestLimiter) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (request.method === 'OPTIONS') return preflight(request, reply)
    allowAnyOrigin(request, reply)
    if (await isLimitExceeded(limiter, request)) return reply.code(429).send()
    return invalidUrl(request, reply)
  }

/** Counts the request. Returns whether its client has exceeded the limit. */
export async function isLimitExceeded(limiter: RequestLimiter, request: FastifyRequest): Promise<boolean> {
  try {
    await limiter(request)
    return false
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'RATE_LIMITED') return true
    throw error
  }
}
