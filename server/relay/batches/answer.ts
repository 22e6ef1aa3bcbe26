import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { DialectName } from '../../../core/channels/routing/operations.ts'
import { relayLanguageOf } from '../admission/body-refusal.ts'
import { failureError, retryHeaders } from '../delivery/error.ts'
import { DIALECTS } from '../dialects/dialects.ts'
import type { UpstreamReply } from '../transport/upstream-reply.ts'
import { UpstreamFailure } from './upstream.ts'

/** Runs `work`. If it throws an UpstreamFailure, sends this error in the client's dialect. */
export async function withFailures(
  context: { request: FastifyRequest; reply: FastifyReply; dialect: DialectName; logger: Pick<Logger, 'warn'> },
  work: () => Promise<unknown>,
): Promise<unknown> {
  const { request, reply, dialect, logger } = context
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error
    const { status, message } = error.failure
    logger.warn({ requestId: request.id, status, reason: message }, 'an upstream did not serve a file or batch')
    const relayError = failureError(error.failure, { requestId: request.id, language: relayLanguageOf(request) })
    const { body, headers = {} } = DIALECTS[dialect].error(relayError)
    return reply
      .code(relayError.status)
      .headers(retryHeaders(relayError))
      .headers(headers)
      .type('application/json; charset=utf-8')
      .serializer(JSON.stringify)
      .send(body)
  }
}

/** Streams the body of an upstream's reply to the client. */
export function sendBody(reply: FastifyReply, { headers, body }: UpstreamReply, contentType: string): FastifyReply {
  const length = headers['content-encoding'] === undefined ? headers['content-length'] : undefined
  if (length !== undefined) reply.header('content-length', length)
  return reply.type(headers['content-type'] ?? contentType).send(Readable.from(body, { objectMode: false }))
}
