import { GatewayError } from '../../../../core/errors.ts'
import type { Body } from '../dialect.ts'
import { refuse } from '../refuse.ts'

/** Fields that point to a conversation kept on the server. */
const POINTERS: Readonly<Record<string, string>> = {
  previous_response_id: 'previous_response_id refers to an earlier response',
  conversation: 'conversation refers to a stored conversation',
}

/**
 * Responses are not stored here, so nothing can go on from one that was, and none can be fetched later. Only an upstream
 * that speaks this format itself may know them. Throws REQUEST_MALFORMED.
 */
export function refuseWhatNeedsAStore(body: Body): void {
  for (const [field, words] of Object.entries(POINTERS)) {
    if (isGiven(body[field])) refuseStored(field, words)
  }
  if (isGiven(body.prompt)) refuse('prompt refers to a stored template: send instructions and input instead')
}

/** Throws REQUEST_MALFORMED with the code that clients of OpenAI know, to be taken from its `code` and `param`. */
export function refuseStored(param: string, words: string): never {
  const reason = `${words}, and responses are not stored here: send the whole conversation as input`
  throw new GatewayError('REQUEST_MALFORMED', { reason, code: 'previous_response_not_found', param })
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}
