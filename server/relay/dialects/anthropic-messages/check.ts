import { GatewayError } from '../../../../core/errors.ts'
import { numberOf, objectOf } from '../../json.ts'
import type { Body } from '../dialect.ts'

export function malformed(reason: string): GatewayError {
  return new GatewayError('REQUEST_MALFORMED', { reason })
}

/** Checks the required fields of a Messages request. Throws REQUEST_MALFORMED, with the field. */
export function checkMessages(body: Body): void {
  checkCount(body)
  const limit = numberOf(body.max_tokens)
  if (limit === undefined) throw malformed('max_tokens is required: the most tokens that the reply may have')
  if (limit < 1 || !Number.isInteger(limit)) throw malformed('max_tokens must be a whole number from 1')
}

/** Checks a token counting request, which has no `max_tokens`. Throws REQUEST_MALFORMED, with the field. */
export function checkCount({ model, messages, thread }: Body): void {
  if (typeof model !== 'string' || model === '') throw malformed('model is required')
  if (!Array.isArray(messages)) throw malformed('messages must be an array')
  // A thread may continue an unfinished reply without new messages.
  if (messages.length === 0 && objectOf(thread).type !== 'continue')
    throw malformed('messages must have at least one message')
}
