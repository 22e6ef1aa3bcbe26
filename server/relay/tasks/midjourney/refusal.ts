import { GatewayError } from '../../../../core/errors.ts'
import type { Language } from '../../../../core/messages/language.ts'
import { errorText } from '../../../../core/messages/messages.ts'
import { errorForClient } from '../../delivery/error.ts'

/** Error code of the drawing API for an invalid request. */
const REQUEST_ERROR = 4
/** Error code of the drawing API for an invalid reply of the upstream. */
export const UPSTREAM_ERROR = 5
/** Error code of the drawing API for a busy group. */
const SATURATED = 30
const SATURATED_TEXT = '当前分组负载已饱和，请稍后再试，或升级账户以提升服务质量。'

interface DrawingRefusal {
  description: string
  type: 'upstream_error'
  code: number
}

/** Returns an error with a documented reason of the drawing API. */
export function drawingError(
  reason: string,
  { result = '', code = REQUEST_ERROR, cause }: { result?: string; code?: number; cause?: unknown } = {},
): GatewayError {
  return new GatewayError('DRAWING_REFUSED', { reason, result, code }, { cause })
}

/**
 * Converts any error to the format of the drawing API. Errors about a drawing have the status 400. Other errors, such
 * as about permissions and channels, have the same status as elsewhere. `description` is a reason, a space and details.
 */
export function drawingRefusal(
  error: unknown,
  { requestId, language }: { requestId: string; language: Language },
): { status: number; body: DrawingRefusal; retryAfterSeconds?: number | undefined } {
  if (error instanceof GatewayError) {
    if (error.code === 'DRAWING_REFUSED') {
      const { reason, result, code } = error.params as { reason: string; result: string; code: number }
      return { status: 400, body: bodyOf(reason, result, code) }
    }
    const text = `${errorText(error, language)} (request id: ${requestId})`
    if (error.code === 'INSUFFICIENT_QUOTA' || error.code === 'INSUFFICIENT_TOKEN_QUOTA')
      return { status: 400, body: bodyOf('quota_not_enough', text) }
    if (error.code === 'REQUEST_MALFORMED') return { status: 400, body: bodyOf('bind_request_body_failed', text) }
    if (error.code === 'CHANNEL_MISCONFIGURED') return { status: 400, body: bodyOf('get_channel_info_failed', '') }
  }
  const { status, code, message, retryAfterSeconds } = errorForClient(error, { requestId, language })
  const body =
    status === 429 ? bodyOf('rate_limited', SATURATED_TEXT, SATURATED) : bodyOf(code ?? 'internal_error', message)
  return { status, body, retryAfterSeconds }
}

function bodyOf(reason: string, result: string, code = REQUEST_ERROR): DrawingRefusal {
  return { description: `${reason} ${result}`, type: 'upstream_error', code }
}
