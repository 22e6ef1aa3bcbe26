import { CHANNEL_TYPES, type ChannelType, parseChannelType } from '../../core/channels/types/types.ts'
import { GatewayError } from '../../core/errors.ts'
import { isId } from '../users.ts'
import { nearest } from './nearest.ts'

/** Returns the channel type that a flag names; undefined without the flag. Throws CHANNEL_TYPE_UNKNOWN. */
export function givenChannelType(word: string | undefined): ChannelType | undefined {
  if (word === undefined) return undefined
  const type = parseChannelType(word)
  if (!type) throw unknownChannelType(word)
  return type
}

/**
 * Returns the number of a channel type. Any number is accepted, because stored channels may have a retired type.
 * Returns undefined for an unknown name.
 */
export function channelTypeNumber(word: string): number | undefined {
  return parseChannelType(word)?.type ?? (isId(word) ? Number(word) : undefined)
}

/** Creates CHANNEL_TYPE_UNKNOWN with the most similar type. */
export function unknownChannelType(value: string): GatewayError {
  const suggestion = nearest(
    value,
    CHANNEL_TYPES.filter(({ hidden }) => !hidden).map(({ slug }) => slug),
  )
  return new GatewayError('CHANNEL_TYPE_UNKNOWN', { value, meant: suggestion })
}
