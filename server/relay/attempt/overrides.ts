import type { IncomingHttpHeaders } from 'node:http'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import { fillHeader, isHeader } from '../../../core/channels/settings/headers.ts'
import { GatewayError } from '../../../core/errors.ts'
import { parseObject } from '../json.ts'
import type { ProviderRequest, UpstreamRequest } from '../providers/provider.ts'

/**
 * Applies the overrides of a channel: `param_override` to the top level of a JSON body, `header_override` to the headers.
 * `pass_through_body_enabled` forwards the client's own body if the upstream uses its format. Throws CHANNEL_MISCONFIGURED if a
 * completed header is invalid.
 */
export function withOverrides(
  request: UpstreamRequest,
  {
    ask,
    channel,
    native,
  }: { ask: Pick<ProviderRequest, 'raw' | 'clientHeaders'>; channel: Overriding; native: boolean },
): UpstreamRequest {
  const { paramOverride, headerOverride, passThroughBody } = channel.settings
  const passes = passThroughBody && native && isInMemory(request.body)
  if (!paramOverride && !headerOverride && !passes) return request
  const overridden = paramOverride ? overriddenBody(request.body, paramOverride) : request.body
  return {
    ...request,
    body: passes ? ask.raw : overridden,
    headers: headerOverride ? overriddenHeaders(request.headers, channel, ask.clientHeaders ?? {}) : request.headers,
  }
}

type Overriding = Pick<LiveChannel, 'id' | 'key' | 'settings'>
type RequestBody = UpstreamRequest['body']

function isInMemory(body: RequestBody): body is Buffer | string {
  return body !== null && typeof body !== 'function'
}

/** Bodies other than JSON objects, such as forms, stay unchanged. */
function overriddenBody(body: RequestBody, params: Readonly<Record<string, unknown>>): RequestBody {
  if (!isInMemory(body)) return body
  const text = body.toString()
  const parsed = parseObject(text)
  if (!parsed) return body
  const isNew = Object.keys(params).every((name) => !Object.hasOwn(parsed, name))
  if (!isNew || Object.keys(parsed).length === 0) return JSON.stringify({ ...parsed, ...params })
  // Insert in front, so that the rest keeps its bytes: large numbers, the order of keys.
  const brace = text.indexOf('{') + 1
  return `${text.slice(0, brace)}${JSON.stringify(params).slice(1, -1)},${text.slice(brace)}`
}

function overriddenHeaders(
  headers: Readonly<Record<string, string>>,
  { id, key, settings }: Overriding,
  clientHeaders: IncomingHttpHeaders,
): Record<string, string> {
  const ours = settings.headerOverride ?? {}
  const kept = Object.entries(headers).filter(([name]) => !Object.hasOwn(ours, name.toLowerCase()))
  const clientHeader = (name: string) => String(clientHeaders[name] ?? '')
  const filled = Object.entries(ours)
    .map(([name, template]): [string, string] => [name, fillHeader(template, { key, clientHeader }).trim()])
    // An empty value removes the header; so does a placeholder for a client header that is absent.
    .filter(([, value]) => value !== '')
  const bad = filled.find(([name, value]) => !isHeader(name, value))
  if (bad) throw new GatewayError('CHANNEL_MISCONFIGURED', { id, reason: `its header ${bad[0]} cannot be sent` })
  return Object.fromEntries([...kept, ...filled])
}
