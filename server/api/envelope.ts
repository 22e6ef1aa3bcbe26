import type { ErrorObject } from 'ajv'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { databaseUnavailable, isDatabaseUnavailable } from '../../core/db/unavailable.ts'
import { type ErrorCode, GatewayError } from '../../core/errors.ts'
import { chooseLanguage, type Language, namedLanguage } from '../../core/messages/language.ts'
import { errorText, visibleParams } from '../../core/messages/messages.ts'
import { textIn } from '../../core/messages/texts.ts'
import { BODY_MAX, schemaViolationError } from './reading.ts'

/** Returns the schema of a reply of the management API. `data` is optional, because error replies have none. */
export function Envelope<T extends TSchema>(data: T) {
  return Type.Object({ success: Type.Boolean(), message: Type.String(), data: Type.Optional(data) })
}

export const Done = Type.Object({ success: Type.Boolean(), message: Type.String() }, { title: 'Done' })

export function PageOf<T extends TSchema>(item: T) {
  return Type.Object({
    items: Type.Array(item),
    total: Type.Integer(),
    page: Type.Integer(),
    page_size: Type.Integer(),
  })
}

export function ok<T>(data: T): { success: true; message: string; data: T } {
  return { success: true, message: '', data }
}

export const done = { success: true, message: '' } as const

/**
 * HTTP statuses by error code. Other errors have status 200. The web client treats any 401 as an ended session, so 401
 * must have no other meaning. The web client shows its own texts for 429 and 500. Monitoring evaluates 503.
 */
const STATUS: Partial<Record<ErrorCode, number>> = {
  NOT_SIGNED_IN: 401,
  USER_HEADER_MISSING: 401,
  USER_HEADER_MALFORMED: 401,
  USER_HEADER_MISMATCH: 401,
  OAUTH_STATE: 403,
  REQUEST_CROSS_SITE: 403,
  REQUEST_NAVIGATION: 403,
  BODY_NOT_JSON: 415,
  RATE_LIMITED: 429,
  BODIES_LIMITED: 429,
  BODIES_FULL: 503,
  BODY_TOO_SLOW: 408,
  DATABASE_SILENT: 503,
  DATABASE_UNAVAILABLE: 503,
}

/**
 * Header that describes the error to programs: `{code, kind, params}` as JSON, percent-encoded. The body contains the
 * text for people.
 */
const ERROR_HEADER = 'tollgate-error'
/** Maximum length of the error header. Some proxies return 502 if all reply headers together exceed 4 kB. */
const HEADER_LENGTH_MAX = 1500
/** Maximum lengths of a parameter's text, tried in this order until the header is short enough. */
const TEXT_LENGTHS = [Number.POSITIVE_INFINITY, 200, 60, 20]

/** Temporary errors whose parameter `seconds` is sent as Retry-After. */
const TEMPORARY: ReadonlySet<ErrorCode> = new Set(['DATABASE_UNAVAILABLE', 'BODIES_LIMITED', 'BODIES_FULL'])

/** Sets the headers of an error reply: the description for programs, and Retry-After if the client should wait. */
export function setErrorHeaders(reply: FastifyReply, refusal: GatewayError): void {
  reply.header(ERROR_HEADER, errorHeader(refusal))
  const { seconds, retryAfterSeconds } = refusal.params
  const waitSeconds = retryAfterSeconds ?? (TEMPORARY.has(refusal.code) ? seconds : undefined)
  if (waitSeconds !== undefined) reply.header('retry-after', String(waitSeconds))
}

/**
 * Returns the value of the error header. Shortens the parameters, because they may contain long input of the client.
 */
function errorHeader(refusal: GatewayError): string {
  const { code, kind } = refusal
  const { retryAfterSeconds } = refusal.params
  const params = { ...visibleParams(refusal), ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }
  for (const length of TEXT_LENGTHS) {
    const shortenedParams = Object.entries(params).map(([name, value]) => [name, shorten(value, length)])
    const header = encodeURIComponent(JSON.stringify({ code, kind, params: Object.fromEntries(shortenedParams) }))
    if (header.length <= HEADER_LENGTH_MAX) return header
  }
  return encodeURIComponent(JSON.stringify({ code, kind }))
}

function shorten<T>(value: T, length: number): T | string {
  return typeof value === 'string' && value.length > length ? `${value.slice(0, length)}…` : value
}

/** Error handler of the management API. Logs the error if necessary, and sends the documented reply. */
export function answerError(error: FastifyError | GatewayError, request: FastifyRequest, reply: FastifyReply) {
  const refusal = logFailure(error, request)
  const status = refusal ? statusFor(refusal) : 500
  if (refusal) setErrorHeaders(reply, refusal)
  // The documented reply with status 429 has no body, and the web client has its own text.
  if (status === 429) return reply.code(status).send()
  return reply.code(status).send({ success: false, message: messageFor(refusal, request) })
}

/**
 * Logs errors that the client cannot fix, with all causes: bugs, and failures of the environment or of other services.
 * Returns the result of `reportedError`.
 */
export function logFailure(error: FastifyError | GatewayError, request: FastifyRequest): GatewayError | undefined {
  const refusal = reportedError(error)
  const line = { requestId: request.id, err: error }
  if (!refusal || refusal.kind === 'environment' || refusal.code === 'DATABASE_UNAVAILABLE')
    request.log.error(line, 'request failed')
  else if (refusal.kind === 'upstream') request.log.warn(line, 'another service failed')
  return refusal
}

export function statusFor({ code }: GatewayError): number {
  return STATUS[code] ?? 200
}

/** Returns the GatewayError to report to the client, or undefined if the error is a bug. */
export function reportedError(error: FastifyError | GatewayError): GatewayError | undefined {
  if (error instanceof GatewayError) return error
  if (isDatabaseUnavailable(error)) return databaseUnavailable(error)
  const [violation] = (error.validation ?? []) as ErrorObject[]
  if (violation) return schemaViolationError(violation)
  if (error.statusCode === undefined || error.statusCode >= 500) return undefined
  if (error.statusCode === 413) return new GatewayError('REQUEST_TOO_LARGE', { max: BODY_MAX }, { cause: error })
  return new GatewayError('BODY_MALFORMED', {}, { cause: error })
}

export function messageFor(refusal: GatewayError | undefined, request: FastifyRequest): string {
  const language = apiLanguageOf(request)
  return refusal ? errorText(refusal, language) : textIn(language, 'error.INTERNAL')
}

/** Returns the language of messages: Chinese, as documented, unless the client requests English. */
export function apiLanguageOf(request: FastifyRequest): Language {
  return chooseLanguage(request.headers['accept-language'], 'zh')
}

/** Returns the supported language that Accept-Language names, or undefined if the header names none. */
export function requestedLanguage(request: FastifyRequest): Language | undefined {
  return namedLanguage(request.headers['accept-language'])
}
