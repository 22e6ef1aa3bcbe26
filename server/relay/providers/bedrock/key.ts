import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { misconfigured } from '../plan-errors.ts'

/** A credential and its region. With a Bedrock API key (`bearer`), requests need no signature. */
export type BedrockKey =
  | { readonly region: string; readonly bearer: string }
  | {
      readonly region: string
      readonly accessKeyId: string
      readonly secretAccessKey: string
      /** Only for temporary credentials. */
      readonly sessionToken?: string
    }

/** Matches valid regions. The check is strict, because the region becomes part of the host name. */
const REGION = /^[a-z]{2}(-[a-z]+)+-\d+$/

/** Parses a channel's key. Throws CHANNEL_MISCONFIGURED. */
export function readBedrockKey({ id, key }: Pick<LiveChannel, 'id' | 'key'>): BedrockKey {
  // A pasted key may have spaces and line breaks around its parts.
  const parts = key.split('|').map((part) => part.trim())
  const [first = '', second = '', third = '', sessionToken = ''] = parts
  const region = (parts.length === 2 ? second : third).toLowerCase()
  const isComplete = parts.length >= 2 && parts.length <= 4 && first !== '' && second !== '' && REGION.test(region)
  if (!isComplete) {
    misconfigured(
      id,
      'its key must be AccessKey|SecretKey|Region or BedrockApiKey|Region, with a region such as us-east-1',
    )
  }
  if (parts.length === 2) return { region, bearer: first }
  return { region, accessKeyId: first, secretAccessKey: second, ...(sessionToken && { sessionToken }) }
}
