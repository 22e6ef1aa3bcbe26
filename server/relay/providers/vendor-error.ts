import { parseObject } from '../../../core/input.ts'
import type { ReplyError, ReplyEvent } from '../conversation/conversation.ts'
import { createFailure, readFailure } from './failure.ts'
import type { Failure, ReplyReader } from './provider.ts'

/**
 * The meaning of a vendor's error code. It decides whether the relay tries another channel, and whether it disables the
 * failed one.
 */
export type VendorErrorKind = 'request' | 'policy' | 'model' | 'credential' | 'money' | 'rate' | 'busy'

/** OpenAI's status and error type for each kind. */
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
  /** Undefined for an unknown code. */
  readonly kind: VendorErrorKind | undefined
}

/** Converts a vendor's error in a reply with status 200. An error of an unknown kind counts as `busy`. */
export function replyErrorOf({ code, message, kind = 'busy' }: VendorError): ReplyError {
  return { message: message || `The upstream answered with error ${code}`, code, ...MEANING[kind] }
}

/**
 * Returns a function for `Plan.complete`, for operations other than `chat`. If `errorIn` finds an error in a reply, the
 * function returns this error in OpenAI's format.
 */
export function withOpenAiError(errorIn: (reply: Record<string, unknown>) => VendorError | undefined) {
  return async (reply: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const error = errorIn(reply)
    return error ? { error: replyErrorOf(error) } : reply
  }
}

/** Returns a function for `Provider.failure`. If `errorIn` finds an error in a body, its kind decides the failure. */
export function failureReader(errorIn: (reply: Record<string, unknown>) => VendorError | undefined) {
  return (status: number, body: string): Failure => {
    const error = errorIn(parseObject(body) ?? {})
    return error ? vendorFailureOf(status, error) : readFailure(status, body)
  }
}

/**
 * Converts an error response. The kind decides the type and the retry. Keeps the HTTP status, to which a channel's
 * status mapping refers.
 */
export function vendorFailureOf(status: number, { code, message, kind }: VendorError): Failure {
  if (!kind) return createFailure(status, message, { code })
  const meaning = MEANING[kind]
  return {
    ...createFailure(status, message, { code, type: meaning.type }),
    retry: createFailure(meaning.status, message).retry,
  }
}

/** Wraps a reader of OpenAI's format. Adds type and status to its errors, by the kinds of the vendor's codes. */
export function withErrorKinds(reader: ReplyReader, kinds: Readonly<Record<string, VendorErrorKind>>): ReplyReader {
  const withKind = (event: ReplyEvent): ReplyEvent => {
    if (event.kind !== 'error') return event
    const { code = '', message } = event.error
    const kind = kinds[code]
    return kind ? { kind: 'error', error: replyErrorOf({ code, message, kind }) } : event
  }
  return {
    event: (event) => reader.event(event).map(withKind),
    whole: (body) => reader.whole(body).map(withKind),
    close: () => (reader.close?.() ?? []).map(withKind),
  }
}
