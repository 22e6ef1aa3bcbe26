import { asksForUsage } from '../../delivery/stream-options.ts'
import { type Json, objectOf } from '../../json.ts'
import type { Ask } from '../provider.ts'

/**
 * A body in the client's own format. Its bytes go on whenever nothing in them must change: unknown fields, number formats
 * and key order arrive as they were sent. Asking for usage is spliced in. `wanted`: the body as the upstream takes it, the
 * very object of `ask` where that is the same.
 */
export function nativeBody(
  { raw, body, stream }: Pick<Ask, 'raw' | 'body' | 'stream'>,
  { wanted, streamUsage }: { wanted: Readonly<Json>; streamUsage: boolean },
): Buffer | string {
  const hasOptions = 'stream_options' in wanted
  const askUsage = stream && streamUsage && !asksForUsage(wanted)
  const isSame = wanted === body && !(hasOptions && (askUsage || !streamUsage))
  if (isSame && !askUsage) return raw
  if (isSame) {
    const brace = raw.indexOf('{')
    return Buffer.concat([raw.subarray(0, brace + 1), ASK_USAGE, raw.subarray(brace + 1)])
  }
  const { stream_options, ...rest } = wanted
  if (!streamUsage) return JSON.stringify(rest)
  if (!askUsage) return JSON.stringify(wanted)
  return JSON.stringify({ ...rest, stream_options: { ...objectOf(stream_options), include_usage: true } })
}

const ASK_USAGE = Buffer.from('"stream_options":{"include_usage":true},')
