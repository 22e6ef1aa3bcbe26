import { GatewayError } from '../../core/errors.ts'

/** Returns REQUEST_MALFORMED with the reason for the client. */
export function malformedRequest(reason: string): GatewayError {
  return new GatewayError('REQUEST_MALFORMED', { reason })
}
