import type { FastifyError, FastifyRequest } from 'fastify'
import { GatewayError } from '../../../core/errors.ts'
import { chooseLanguage } from '../../../core/messages/language.ts'
import { because } from '../../../core/messages/reasons.ts'

export function relayLanguageOf(request: Pick<FastifyRequest, 'headers'>) {
  return chooseLanguage(request.headers['accept-language'], 'en')
}

/** Converts Fastify's errors about a body to errors of the gateway. */
export function toBodyError(error: FastifyError, bodyMax: number): unknown {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new GatewayError('REQUEST_TOO_LARGE', { max: bodyMax }, { cause: error })
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new GatewayError('REQUEST_MALFORMED', because('contentTypeInvalid'), { cause: error })
  if (
    error.code?.startsWith('FST_ERR_CTP') ||
    error.code?.startsWith('Z_') ||
    error.code?.startsWith('ERR__ERROR_FORMAT')
  ) {
    return new GatewayError('REQUEST_MALFORMED', because('bodyUnreadable'), { cause: error })
  }
  return error
}
