import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { type ErrorCode, GatewayError } from '../../core/errors.ts'
import { chooseLanguage, errorText } from '../../core/messages/messages.ts'

/** The shape of every answer of the management API. `data` is optional: a refusal has none. */
export function Envelope<T extends TSchema>(data: T) {
  return Type.Object({ success: Type.Boolean(), message: Type.String(), data: Type.Optional(data) })
}

export function ok<T>(data: T): { success: true; message: string; data: T } {
  return { success: true, message: '', data }
}

export const done = { success: true, message: '' } as const

/** The web client takes any 401 for an ended session: it is sent for nothing else. Other refusals have status 200. */
const SIGNED_OUT: ReadonlySet<ErrorCode> = new Set([
  'NOT_SIGNED_IN',
  'USER_HEADER_MISSING',
  'USER_HEADER_MALFORMED',
  'USER_HEADER_MISMATCH',
])

/** The one place where the management API turns an error into an answer. */
export function answerError(error: FastifyError | GatewayError, request: FastifyRequest, reply: FastifyReply) {
  const language = chooseLanguage(request.headers['accept-language'], 'zh')
  if (error instanceof GatewayError) {
    const status = SIGNED_OUT.has(error.code) ? 401 : 200
    return reply.code(status).send({ success: false, message: errorText(error, language) })
  }
  if (error.validation || (error.statusCode !== undefined && error.statusCode < 500)) {
    const refusal = new GatewayError('INVALID_INPUT', { reason: error.message })
    const status = error.statusCode === 413 ? 413 : 200
    return reply.code(status).send({ success: false, message: errorText(refusal, language) })
  }
  request.log.error({ requestId: request.id, err: error }, 'request failed')
  return reply.code(500).send({ success: false, message: language === 'zh' ? '服务器内部错误' : 'Internal error' })
}
