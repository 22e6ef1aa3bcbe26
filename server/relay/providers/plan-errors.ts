import { GatewayError } from '../../../core/errors.ts'

/** Throws CHANNEL_MISCONFIGURED for the channel with this id. */
export function misconfigured(id: number, reason: string): never {
  throw new GatewayError('CHANNEL_MISCONFIGURED', { id, reason })
}

/** Throws OPERATION_UNSUPPORTED. */
export function unsupported(reason: string): never {
  throw new GatewayError('OPERATION_UNSUPPORTED', { reason })
}
