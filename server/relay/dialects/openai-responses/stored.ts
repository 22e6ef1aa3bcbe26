import { GatewayError } from '../../../../core/errors.ts'
import type { Body } from '../dialect.ts'
import { refuse } from '../refuse.ts'

/** Fields that refer to a conversation stored at the server. The values are the beginnings of error messages. */
const STORED_REFERENCES: Readonly<Record<string, string>> = {
  previous_response_id: 'previous_response_id refers to an earlier response',
  conversation: 'conversation refers to a stored conversation',
}

/**
 * Throws REQUEST_MALFORMED if the request refers to stored objects, which only an upstream with the Responses API could
 * look up.
 */
export function rejectStoredReferences(body: Body): void {
  for (const [field, problem] of Object.entries(STORED_REFERENCES)) {
    if (isSet(body[field])) rejectStoredReference(field, problem)
  }
  if (isSet(body.prompt)) refuse('prompt refers to a stored template: send instructions and input instead')
}

/** Throws REQUEST_MALFORMED with the code and `param` of OpenAI's error, which clients handle specially. */
export function rejectStoredReference(param: string, problem: string): never {
  const reason = `${problem}, and responses are not stored here: send the whole conversation as input`
  throw new GatewayError('REQUEST_MALFORMED', { reason, code: 'previous_response_not_found', param })
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}
