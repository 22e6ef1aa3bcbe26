import { GatewayError } from '../../../../core/errors.ts'
import { numberOf, objectOf } from '../../json.ts'
import type { Body } from '../dialect.ts'

export function malformed(reason: string): GatewayError {
  return new GatewayError('REQUEST_MALFORMED', { reason })
}

/** What a Messages request cannot do without. Throws REQUEST_MALFORMED naming the field. */
export function checkMessages(body: Body): void {
  checkCount(body)
  const limit = numberOf(body.max_tokens)
  if (limit === undefined) throw malformed('max_tokens is required: the most tokens that the reply may have')
  if (limit < 1 || !Number.isInteger(limit)) throw malformed('max_tokens must be a whole number from 1')
}

/** The same for a body whose tokens are to be counted: it has no limit. */
export function checkCount({ model, messages, thread }: Body): void {
  if (typeof model !== 'string' || model === '') throw malformed('model is required')
  if (!Array.isArray(messages)) throw malformed('messages must be an array')
  // A thread goes on from an unfinished reply without anything new.
  if (messages.length === 0 && objectOf(thread).type !== 'continue')
    throw malformed('messages must have at least one message')
}
