import type { ErrorCode, ErrorKind } from '../../core/errors.ts'
import { GatewayError } from '../../core/errors.ts'
import { errorText, type Language } from '../../core/messages/messages.ts'
import type { Failure } from './providers/provider.ts'

/** HTTP status of each kind of refusal on the relay. */
const STATUS: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  insufficient: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  rate_limited: 429,
  not_implemented: 501,
  upstream: 502,
  unavailable: 503,
  environment: 500,
}
/** Where the status says more than its kind does. */
const STATUS_OF_CODE: Partial<Record<ErrorCode, number>> = { UPSTREAM_TIMEOUT: 504, ACCESS_TOKEN_UNSUPPORTED: 400 }
/** Codes that clients know under another name. */
const WIRE_CODE: Partial<Record<ErrorCode, string>> = {
  INSUFFICIENT_QUOTA: 'insufficient_user_quota',
  INSUFFICIENT_TOKEN_QUOTA: 'insufficient_token_quota',
  TOKEN_INVALID: 'invalid_api_key',
  MODEL_NOT_FOUND: 'model_not_found',
  MODEL_PRICE_MISSING: 'model_price_error',
  NOT_IMPLEMENTED: 'api_not_implemented',
  ACCESS_TOKEN_UNSUPPORTED: 'access_token_not_supported',
}
const TYPE = 'gateway_error'

/** An error as OpenAI's API words it: https://platform.openai.com/docs/guides/error-codes */
export interface WireError {
  status: number
  body: { error: { message: string; type: string; param: string | null; code: string | null } }
}

/** A refusal of the gateway itself. */
export function refusalToWire(
  error: unknown,
  { requestId, language }: { requestId: string; language: Language },
): WireError {
  const known = error instanceof GatewayError ? error : undefined
  const message = known ? errorText(known, language) : 'Internal error'
  const code = known ? (WIRE_CODE[known.code] ?? known.code.toLowerCase()) : 'internal_error'
  return {
    status: known ? (STATUS_OF_CODE[known.code] ?? STATUS[known.kind]) : 500,
    body: { error: { message: `${message} (request id: ${requestId})`, type: TYPE, param: null, code } },
  }
}

/** The failure of the last attempt, passed on. */
export function failureToWire(failure: Failure, requestId: string): WireError {
  const { status, message, type, param, code } = failure
  return { status, body: { error: { message: `${message} (request id: ${requestId})`, type, param, code } } }
}
