import { recordOf } from '../../../../core/records.ts'
import type { Body } from '../dialect.ts'
import { refuse, TOKENS_MAX } from '../refuse.ts'

/** Checks the required fields of a Messages request. Throws REQUEST_MALFORMED, which names the field. */
export function checkMessages(body: Body): void {
  checkCountRequest(body)
  const { max_tokens: limit } = body
  if (limit === undefined || limit === null) refuse('max_tokens is required: the most tokens that the reply may have')
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > TOKENS_MAX)
    refuse(`max_tokens must be a whole number from 1 to ${TOKENS_MAX}`)
}

/** Checks a token counting request, which has no `max_tokens`. Throws REQUEST_MALFORMED, which names the field. */
export function checkCountRequest({ model, messages, thread }: Body): void {
  if (typeof model !== 'string' || model === '') refuse('model is required')
  if (!Array.isArray(messages)) refuse('messages must be an array')
  // A thread may continue an unfinished reply without new messages.
  if (messages.length === 0 && recordOf(thread).type !== 'continue') refuse('messages must have at least one message')
}
