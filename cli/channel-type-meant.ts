import { CHANNEL_TYPES } from '../core/channels/types.ts'
import { GatewayError } from '../core/errors.ts'
import { nearest } from './nearest.ts'

/** CHANNEL_TYPE_UNKNOWN with the type that may have been meant. */
export function unknownChannelType(value: string): GatewayError {
  const meant = nearest(
    value,
    CHANNEL_TYPES.filter(({ hidden }) => !hidden).map(({ slug }) => slug),
  )
  return new GatewayError('CHANNEL_TYPE_UNKNOWN', { value, meant })
}
