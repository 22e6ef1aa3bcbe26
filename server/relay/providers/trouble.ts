import type { ReplyError, ReplyEvent } from '../conversation/conversation.ts'
import { failure } from './failure.ts'
import type { Failure, ReplyReader } from './provider.ts'

/** What a vendor's own error code amounts to: it decides who is asked next and what becomes of the channel. */
export type Trouble = 'request' | 'policy' | 'model' | 'credential' | 'money' | 'rate' | 'busy'

/** The status that OpenAI would have answered with, and the type that tells a lost account from a bad moment. */
const MEANING: Record<Trouble, { status: number; type: string }> = {
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
  /** Undefined for a code that nobody knows: another channel is asked. */
  readonly trouble: Trouble | undefined
}

/** An error that came with status 200. */
export function replyErrorOf({ code, message, trouble = 'busy' }: VendorError): ReplyError {
  return { message: message || `The upstream answered with error ${code}`, code, ...MEANING[trouble] }
}

/** The same as a JSON body in OpenAI's shape, for operations other than chat. */
export function errorBodyOf(error: VendorError): Record<string, unknown> {
  return { error: replyErrorOf(error) }
}

/** An error that came with a status of its own, which stays: operators map statuses. The vendor's code says what to do. */
export function failureOf(status: number, { code, message, trouble }: VendorError): Failure {
  if (!trouble) return failure(status, message, { code })
  const meaning = MEANING[trouble]
  return {
    ...failure(status, message, { code, type: meaning.type }),
    retry: failure(meaning.status, message).retry,
  }
}

/** A reader of OpenAI's format whose errors tell what the vendor's own codes amount to. */
export function withTroubles(reader: ReplyReader, troubles: Readonly<Record<string, Trouble>>): ReplyReader {
  const explained = (event: ReplyEvent): ReplyEvent => {
    const code = event.kind === 'error' ? event.error.code : undefined
    const trouble = code === undefined ? undefined : troubles[code]
    if (event.kind !== 'error' || code === undefined || !trouble) return event
    return { kind: 'error', error: replyErrorOf({ code, message: event.error.message, trouble }) }
  }
  const { close } = reader
  return {
    event: (event) => reader.event(event).map(explained),
    whole: (body) => reader.whole(body).map(explained),
    ...(close && { close: () => close().map(explained) }),
  }
}
