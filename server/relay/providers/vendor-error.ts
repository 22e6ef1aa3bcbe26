import type { ReplyError, ReplyEvent } from '../conversation/conversation.ts'
import { createFailure } from './failure.ts'
import type { Failure, ReplyReader } from './provider.ts'

/**
 * The meaning of a vendor's error code. The meaning decides whether another channel is tried, and whether the failed
 * channel is disabled.
 */
export type VendorErrorKind = 'request' | 'policy' | 'model' | 'credential' | 'money' | 'rate' | 'busy'

/** OpenAI's status and error type for each kind. The type shows whether the failure of an account is permanent. */
const MEANING: Record<VendorErrorKind, { status: number; type: string }> = {
  request: { status: 400, type: 'invalid_request_error' },
  policy: { status: 400, type: 'content_policy_violation' },
  model: { status: 404, type: 'invalid_request_error' },
  credential: { status: 401, type: 'authentication_error' },
  money: { status: 402, type: 'insufficient_quota' },
  rate: { status: 429, type: 'rate_limit_error' },
  busy: { status: 503, type: 'upstream_error' },
}

export interface VendorError {
  readonly code: string
  readonly message: string
  /** Undefined for an unknown code, after which another channel is tried. */
  readonly kind: VendorErrorKind | undefined
}

/** Converts a vendor's error in a reply with status 200. */
export function replyErrorOf({ code, message, kind = 'busy' }: VendorError): ReplyError {
  return { message: message || `The upstream answered with error ${code}`, code, ...MEANING[kind] }
}

/** Converts a vendor's error to a JSON body in OpenAI's shape, for operations other than chat. */
export function errorBodyOf(error: VendorError): Record<string, unknown> {
  return { error: replyErrorOf(error) }
}

/**
 * Converts an error response. Keeps the HTTP status, because a channel's status mapping refers to this status. The kind
 * decides the type and the retry.
 */
export function vendorFailureOf(status: number, { code, message, kind }: VendorError): Failure {
  if (!kind) return createFailure(status, message, { code })
  const meaning = MEANING[kind]
  return {
    ...createFailure(status, message, { code, type: meaning.type }),
    retry: createFailure(meaning.status, message).retry,
  }
}

/** Wraps a reader of OpenAI's format, and adds the kinds of the vendor's error codes to its errors. */
export function withErrorKinds(reader: ReplyReader, kinds: Readonly<Record<string, VendorErrorKind>>): ReplyReader {
  const withKind = (event: ReplyEvent): ReplyEvent => {
    const code = event.kind === 'error' ? event.error.code : undefined
    const kind = code === undefined ? undefined : kinds[code]
    if (event.kind !== 'error' || code === undefined || !kind) return event
    return { kind: 'error', error: replyErrorOf({ code, message: event.error.message, kind }) }
  }
  return {
    event: (event) => reader.event(event).map(withKind),
    whole: (body) => reader.whole(body).map(withKind),
    close: () => (reader.close?.() ?? []).map(withKind),
  }
}
