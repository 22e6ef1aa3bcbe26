import type { ServerResponse } from 'node:http'
import { RETRY_AFTER_MAX_MS } from '../../../core/channels/health/circuit.ts'
import { asGatewayError } from '../../../core/db/unavailable.ts'
import type { ErrorCode, ErrorKind } from '../../../core/errors.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Language } from '../../../core/messages/language.ts'
import { errorText } from '../../../core/messages/messages.ts'
import { headerList, NO_HEADERS } from '../../header-list.ts'
import type { Dialect, RelayError } from '../dialects/dialect.ts'
import type { Failure } from '../providers/provider.ts'
import { writeReplyHead } from './reply-head.ts'

/** HTTP status of each kind of error on the relay. */
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
/** HTTP status of error codes whose status differs from the status of their kind. */
const STATUS_OF_CODE: Partial<Record<ErrorCode, number>> = {
  UPSTREAM_TIMEOUT: 504,
  ACCESS_TOKEN_UNSUPPORTED: 400,
  IDEMPOTENCY_KEY_OTHER_BODY: 422,
  BODY_TOO_SLOW: 408,
  BODY_NOT_JSON: 415,
  WEBSOCKET_REQUIRED: 426,
}
/** Error codes that have another name in the APIs that clients use. */
const WIRE_CODE: Partial<Record<ErrorCode, string>> = {
  LIMIT_REACHED: 'rate_limit_exceeded',
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
/** Error codes whose parameters may have `param` (the field) and `code` (a code of the client's API). */
const HAS_CLIENT_FIELDS = new Set<ErrorCode>(['REQUEST_MALFORMED', 'SENSITIVE_WORDS', 'STORED_OBJECT_NOT_FOUND'])
/** Maximum `retry-after` in seconds that clients get from an upstream. */
const RETRY_AFTER_MAX_S = RETRY_AFTER_MAX_MS / 1000
/** The type of the gateway's own errors. */
export const GATEWAY_ERROR = 'gateway_error'

/**
 * Converts an error of the gateway to an error for the client. A database failure becomes DATABASE_UNAVAILABLE. Any
 * other exception is a bug: the client gets "Internal error" without details.
 */
export function errorForClient(
  error: unknown,
  { requestId, language }: { requestId: string; language: Language },
): RelayError {
  const gatewayError = asGatewayError(error)
  const text = gatewayError ? errorText(gatewayError, language) : 'Internal error'
  const seconds = gatewayError?.params.seconds
  const hasClientFields = gatewayError !== undefined && HAS_CLIENT_FIELDS.has(gatewayError.code)
  const clientFields = hasClientFields ? (gatewayError.params as { param?: string; code?: string }) : undefined
  return {
    status: gatewayError ? (STATUS_OF_CODE[gatewayError.code] ?? STATUS[gatewayError.kind]) : 500,
    message: `${text} (request id: ${requestId})`,
    type: GATEWAY_ERROR,
    param: clientFields?.param ?? null,
    code:
      clientFields?.code ??
      (gatewayError ? (WIRE_CODE[gatewayError.code] ?? gatewayError.code.toLowerCase()) : 'internal_error'),
    requestId,
    ...(typeof seconds === 'number' && { retryAfterSeconds: seconds }),
  }
}

/**
 * Converts the failure of the last attempt to an error for the client. Replaces the message of an upstream's rate
 * limit, because this limit applies to the operator's account.
 */
export function failureError(
  failure: Failure,
  { requestId, language }: { requestId: string; language: Language },
): RelayError {
  const { status, type, param, code, details, retryAfterMs } = failure
  const text =
    status === 429 ? errorText(new GatewayError('UPSTREAM_SATURATED'), language) : failureText(failure, language)
  const hasRetryAfter = (status === 429 || status === 503) && retryAfterMs !== undefined
  return {
    status,
    message: `${text} (request id: ${requestId})`,
    type,
    param,
    code,
    requestId,
    ...(details && { details }),
    ...(hasRetryAfter && { retryAfterSeconds: Math.min(Math.ceil(retryAfterMs / 1000), RETRY_AFTER_MAX_S) }),
  }
}

/** Returns the message of a failure. An upstream's message is not translated. */
export function failureText({ message, messageZh = message }: Failure, language: Language): string {
  return language === 'zh' ? messageZh : message
}

/** Sends an error in the client's dialect. If the reply has already begun, closes the connection instead. */
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
    headers: [
      // Merge these objects first, because two objects may have x-should-retry.
      ...headerList({ 'content-length': Buffer.byteLength(payload), ...retryHeaders(error), ...headers }),
      ...(error.headers ?? NO_HEADERS),
    ],
  })
  response.end(payload)
}

/** Returns headers that tell SDKs when to retry, or not to retry. By default, SDKs retry every status from 500 on. */
export function retryHeaders({ status, code, retryAfterSeconds }: RelayError): Record<string, string> {
  return {
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    ...((status === STATUS.not_implemented || isLongLimit(code, retryAfterSeconds)) && { 'x-should-retry': 'false' }),
  }
}

/** Maximum time that SDKs wait before a retry. They ignore a longer `retry-after`, and retry too early. */
const SDK_WAIT_MAX_S = 60

function isLongLimit(code: string | null, seconds = 0): boolean {
  return code === WIRE_CODE.LIMIT_REACHED && seconds > SDK_WAIT_MAX_S
}
