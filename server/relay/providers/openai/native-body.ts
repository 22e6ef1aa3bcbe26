import { recordOf } from '../../../../core/records.ts'
import { asksForUsage } from '../../delivery/stream-options.ts'
import type { Json } from '../../json.ts'
import type { ProviderRequest } from '../provider.ts'

/**
 * Returns a body in the client's format. `upstreamBody` is the body with the gateway's changes, or `body` itself if
 * nothing changed. Adds `include_usage` to streams. If `streamUsage` is false, removes `stream_options`, which the
 * vendor does not support.
 *
 * Returns the client's bytes if nothing changes, so that number formats and key order remain. Inserts a missing
 * `stream_options` into the client's bytes if nothing else changes.
 */
export function nativeBody(
  { raw, body, stream }: Pick<ProviderRequest, 'raw' | 'body' | 'stream'>,
  { upstreamBody, streamUsage }: { upstreamBody: Readonly<Json>; streamUsage: boolean },
): Buffer | string {
  const hasOptions = 'stream_options' in upstreamBody
  const needsUsage = stream && streamUsage && !asksForUsage(upstreamBody)
  const isSame = upstreamBody === body && !(hasOptions && (needsUsage || !streamUsage))
  if (isSame && !needsUsage) return raw
  if (isSame) {
    const brace = raw.indexOf('{')
    return Buffer.concat([raw.subarray(0, brace + 1), ASK_USAGE, raw.subarray(brace + 1)])
  }
  const { stream_options, ...rest } = upstreamBody
  if (!streamUsage) return JSON.stringify(rest)
  if (!needsUsage) return JSON.stringify(upstreamBody)
  return JSON.stringify({ ...rest, stream_options: { ...recordOf(stream_options), include_usage: true } })
}

const ASK_USAGE = Buffer.from('"stream_options":{"include_usage":true},')
