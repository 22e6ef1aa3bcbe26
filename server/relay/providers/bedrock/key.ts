import type { LiveChannel } from '../../../../core/channels/directory.ts'
import { GatewayError } from '../../../../core/errors.ts'

/** Who asks, and where. `bearer` = a key of Bedrock itself, which signs nothing. */
export type BedrockKey =
  | { readonly region: string; readonly bearer: string }
  | {
      readonly region: string
      readonly accessKeyId: string
      readonly secretAccessKey: string
      /** Of temporary credentials. */
      readonly sessionToken?: string
    }

/** A region is a part of the host's name. */
const REGION = /^[a-z]{2}(-[a-z]+)+-\d+$/

/** The parts of a channel's key. Throws CHANNEL_MISCONFIGURED. */
export function readBedrockKey({ id, key }: Pick<LiveChannel, 'id' | 'key'>): BedrockKey {
  // Keys are pasted with spaces and line ends around them.
  const parts = key.split('|').map((part) => part.trim())
  const [first = '', second = '', third = '', sessionToken = ''] = parts
  const region = (parts.length === 2 ? second : third).toLowerCase()
  const complete = parts.length >= 2 && parts.length <= 4 && first !== '' && second !== '' && REGION.test(region)
  if (!complete) {
    const reason = 'its key must be AccessKey|SecretKey|Region or BedrockApiKey|Region, with a region such as us-east-1'
    throw new GatewayError('CHANNEL_MISCONFIGURED', { id, reason })
  }
  if (parts.length === 2) return { region, bearer: first }
  return { region, accessKeyId: first, secretAccessKey: second, ...(sessionToken && { sessionToken }) }
}
