import { GatewayError } from '../../core/errors.ts'

export function malformedRequest(reason: string): GatewayError {
  return new GatewayError('REQUEST_MALFORMED', { reason })
}
