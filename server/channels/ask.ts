import { proxyOf } from '../../core/channels/settings/proxy.ts'
import type { ChannelSettings } from '../../core/channels/settings/settings.ts'
import { errorCode, errorMessage } from '../../core/error-parts.ts'
import { GatewayError } from '../../core/errors.ts'
import { because } from '../../core/messages/reasons.ts'
import { isRecord } from '../../core/records.ts'
import { outbound } from '../outbound.ts'
import type { ProbeGuard } from './guard.ts'

const REASON_LENGTH_MAX = 200

/**
 * Sends a GET to an upstream, through the channel's proxy, and returns the JSON object of the reply. `guard` restricts
 * the addresses for an actor who may not query every address. Throws UPSTREAM_UNREACHABLE (also if `signal` aborts),
 * UPSTREAM_STATUS, UPSTREAM_UNREADABLE or CHANNEL_MISCONFIGURED. These errors contain no text of the upstream.
 */
export async function queryUpstream(
  url: string,
  headers: Record<string, string>,
  channel?: { id: number; settings: Pick<ChannelSettings, 'proxy'> },
  { guard, signal }: { guard?: ProbeGuard | undefined; signal?: AbortSignal | undefined } = {},
): Promise<Record<string, unknown>> {
  const proxy = channel && proxyOf(channel)
  const startedMs = performance.now()
  const options = { headers, proxy, guard: guard?.connection, signal }
  const answer = await outbound(url, options).catch(async (cause: unknown) => {
    await guard?.untilReply(startedMs)
    throw new GatewayError('UPSTREAM_UNREACHABLE', guard?.reason ?? { reason: reasonOf(cause) }, { cause })
  })
  if (answer.status !== 200) throw new GatewayError('UPSTREAM_STATUS', { status: answer.status })
  if (!isRecord(answer.json)) throw new GatewayError('UPSTREAM_UNREADABLE', because('notJsonObject'))
  return answer.json
}

export function bearerHeaders(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}

function reasonOf(error: unknown): string {
  return (errorCode(error) || errorMessage(error)).slice(0, REASON_LENGTH_MAX)
}
