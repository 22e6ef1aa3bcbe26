import { CHANNEL_TYPES } from '../../core/channels/types/types.ts'
import { GatewayError } from '../../core/errors.ts'
import { nearest } from './nearest.ts'

/** Creates CHANNEL_TYPE_UNKNOWN with the most similar type. */
export function unknownChannelType(value: string): GatewayError {
  const suggestion = nearest(
    value,
    CHANNEL_TYPES.filter(({ hidden }) => !hidden).map(({ slug }) => slug),
  )
  return new GatewayError('CHANNEL_TYPE_UNKNOWN', { value, meant: suggestion })
}
