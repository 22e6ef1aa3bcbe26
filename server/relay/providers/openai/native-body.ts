import type { ChannelType } from '../../../../core/channels/types.ts'
import { asksForUsage } from '../../stream-options.ts'
import type { Ask } from '../provider.ts'

/**
 * The client's own bytes, whenever nothing in them must change: unknown fields, number formats and key order arrive as
 * they were sent. Asking the upstream for usage is spliced in; a mapped model needs the body written anew.
 */
export function nativeBody(
  { raw, body, model, stream, dialect }: Pick<Ask, 'raw' | 'body' | 'model' | 'stream' | 'dialect'>,
  { streamUsage }: Pick<ChannelType, 'streamUsage'>,
): Buffer | string {
  const hasOptions = dialect === 'openai-chat' || dialect === 'openai-completions'
  const askUsage = hasOptions && stream && streamUsage && !asksForUsage(body)
  const dropOptions = hasOptions && !streamUsage && 'stream_options' in body
  if (model !== body.model || dropOptions || (askUsage && 'stream_options' in body)) {
    const { stream_options, ...rest }: Record<string, unknown> = { ...body, model }
    const options =
      askUsage || asksForUsage(body) ? { ...(stream_options as object), include_usage: true } : stream_options
    return JSON.stringify(streamUsage && options !== undefined ? { ...rest, stream_options: options } : rest)
  }
  if (!askUsage) return raw
  const brace = raw.indexOf('{')
  return Buffer.concat([raw.subarray(0, brace + 1), ASK_USAGE, raw.subarray(brace + 1)])
}

const ASK_USAGE = Buffer.from('"stream_options":{"include_usage":true},')
