import { asksForUsage } from '../../delivery/stream-options.ts'
import { type Json, objectOf } from '../../json.ts'
import type { ProviderRequest } from '../provider.ts'

/**
 * Returns a body in the client's format. `upstreamBody` is the changed body, or the same object as `body` if nothing
 * changed.
 *
 * If nothing changed, returns the client's bytes, which keeps number formats and key order. If only `include_usage` is
 * missing, inserts it into these bytes.
 */
export function nativeBody(
  { raw, body, stream }: Pick<ProviderRequest, 'raw' | 'body' | 'stream'>,
  { upstreamBody, streamUsage }: { upstreamBody: Readonly<Json>; streamUsage: boolean },
): Buffer | string {
  const hasOptions = 'stream_options' in upstreamBody
  const askUsage = stream && streamUsage && !asksForUsage(upstreamBody)
  const isSame = upstreamBody === body && !(hasOptions && (askUsage || !streamUsage))
  if (isSame && !askUsage) return raw
  if (isSame) {
    const brace = raw.indexOf('{')
    return Buffer.concat([raw.subarray(0, brace + 1), ASK_USAGE, raw.subarray(brace + 1)])
  }
  const { stream_options, ...rest } = upstreamBody
  if (!streamUsage) return JSON.stringify(rest)
  if (!askUsage) return JSON.stringify(upstreamBody)
  return JSON.stringify({ ...rest, stream_options: { ...objectOf(stream_options), include_usage: true } })
}

const ASK_USAGE = Buffer.from('"stream_options":{"include_usage":true},')
