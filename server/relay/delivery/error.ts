import type { ServerResponse } from 'node:http'
import { RETRY_AFTER_MAX_MS } from '../../../core/channels/health/circuit.ts'
import { asGatewayError } from '../../../core/db/unavailable.ts'
import type { ErrorCode, ErrorKind } from '../../../core/errors.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Language } from '../../../core/messages/language.ts'
import { errorText } from '../../../core/messages/messages.ts'
import type { Dialect, RelayError } from '../dialects/dialect.ts'
import type { Failure } from '../providers/provider.ts'
import { writeReplyHead } from './reply-head.ts'

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
const STATUS_OF_CODE: Partial<Record<ErrorCode, number>> = {
  UPSTREAM_TIMEOUT: 504,
  ACCESS_TOKEN_UNSUPPORTED: 400,
  IDEMPOTENCY_KEY_OTHER_BODY: 422,
  BODY_TOO_SLOW: 408,
  BODY_NOT_JSON: 415,
  WEBSOCKET_REQUIRED: 426,
}
/** Codes that clients know under another name. */
const WIRE_CODE: Partial<Record<ErrorCode, string>> = {
  INSUFFICIENT_QUOTA: 'insufficient_user_quota',
  INSUFFICIENT_TOKEN_QUOTA: 'insufficient_token_quota',
  TOKEN_INVALID: 'invalid_api_key',
  MODEL_NOT_FOUND: 'model_not_found',
  MODEL_PRICE_MISSING: 'model_price_error',
  CHANNELS_UNHEALTHY: 'no_available_channel',
  CHANNELS_DISABLED: 'no_available_channel',
  NOT_IMPLEMENTED: 'api_not_implemented',
  ACCESS_TOKEN_UNSUPPORTED: 'access_token_not_supported',
  SENSITIVE_WORDS: 'sensitive_words_detected',
  IDEMPOTENCY_KEY_INVALID: 'invalid_idempotency_key',
  IDEMPOTENCY_KEY_OTHER_BODY: 'idempotency_key_reused',
  IDEMPOTENCY_KEY_RUNNING: 'idempotency_key_in_use',
  IDEMPOTENCY_KEY_SPENT: 'idempotency_key_used',
}
/** Whose parameters name the field, and a code that clients know. */
const NAMES_ITSELF = new Set<ErrorCode>(['REQUEST_MALFORMED', 'SENSITIVE_WORDS', 'STORED_OBJECT_NOT_FOUND'])
/** No upstream is believed that wants to be left alone for longer. */
const RETRY_AFTER_MAX_S = RETRY_AFTER_MAX_MS / 1000
/** The type of whatever the gateway itself decides. */
export const GATEWAY_ERROR = 'gateway_error'

/**
 * A refusal of the gateway itself; a refused body may name its field and a code that clients know. An error of the database
 * is DATABASE_UNAVAILABLE; any other is a defect, of which nothing is told.
 */
export function refusalError(
  error: unknown,
  { requestId, language }: { requestId: string; language: Language },
): RelayError {
  const known = asGatewayError(error)
  const text = known ? errorText(known, language) : 'Internal error'
  const seconds = known?.params.seconds
  const namesItself = known !== undefined && NAMES_ITSELF.has(known.code)
  const named = namesItself ? (known.params as { param?: string; code?: string }) : undefined
  return {
    status: known ? (STATUS_OF_CODE[known.code] ?? STATUS[known.kind]) : 500,
    message: `${text} (request id: ${requestId})`,
    type: GATEWAY_ERROR,
    param: named?.param ?? null,
    code: named?.code ?? (known ? (WIRE_CODE[known.code] ?? known.code.toLowerCase()) : 'internal_error'),
    requestId,
    ...(typeof seconds === 'number' && { retryAfterSeconds: seconds }),
  }
}

/** The failure of the last attempt, passed on. What an upstream says about its limits is about our account, not the client's. */
export function failureError(
  { status, message, type, param, code, details, retryAfterMs }: Failure,
  { requestId, language }: { requestId: string; language: Language },
): RelayError {
  const text = status === 429 ? errorText(new GatewayError('UPSTREAM_SATURATED'), language) : message
  const waits = (status === 429 || status === 503) && retryAfterMs !== undefined
  return {
    status,
    message: `${text} (request id: ${requestId})`,
    type,
    param,
    code,
    requestId,
    ...(details && { details }),
    ...(waits && { retryAfterSeconds: Math.min(Math.ceil(retryAfterMs / 1000), RETRY_AFTER_MAX_S) }),
  }
}

/** An error in the client's dialect; a reply that has begun can only be broken off. */
export function sendError(response: ServerResponse, error: RelayError, dialect: Dialect): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const { body, headers } = dialect.error(error)
  const payload = JSON.stringify(body)
  writeReplyHead(response, {
    status: error.status,
    operation: undefined,
    contentType: 'application/json; charset=utf-8',
    requestId: error.requestId,
    headers: {
      'content-length': Buffer.byteLength(payload),
      ...retryHeaders(error),
      ...headers,
    },
  })
  response.end(payload)
}

/** The headers that tell a client whether and when to retry: SDKs retry every status from 500 on unless told otherwise. */
export function retryHeaders({ status, retryAfterSeconds }: RelayError): Record<string, string> {
  return {
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    ...(status === STATUS.not_implemented && { 'x-should-retry': 'false' }),
  }
}
