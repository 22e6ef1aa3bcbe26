import type { IncomingHttpHeaders } from 'node:http'
import type { LiveChannel } from '../../../core/channels/directory.ts'
import { fillHeader, isHeader } from '../../../core/channels/headers.ts'
import { GatewayError } from '../../../core/errors.ts'
import { parseObject } from '../json.ts'
import type { Ask, UpstreamRequest } from '../providers/provider.ts'

/**
 * A request with what its channel lays over it: `param_override` over the top level of a JSON body, `header_override`
 * over the headers. With `pass_through_body_enabled` the client's own body goes on instead, where the upstream speaks its
 * format. Throws CHANNEL_MISCONFIGURED for a header that cannot be sent once it is filled in.
 */
export function withOverrides(
  request: UpstreamRequest,
  { ask, channel, native }: { ask: Pick<Ask, 'raw' | 'clientHeaders'>; channel: Overriding; native: boolean },
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

/** Bodies that are no JSON object, such as forms, stay as they are. */
function overriddenBody(body: RequestBody, params: Readonly<Record<string, unknown>>): RequestBody {
  if (!isInMemory(body)) return body
  const text = body.toString()
  const parsed = parseObject(text)
  if (!parsed) return body
  const isNew = Object.keys(params).every((name) => !Object.hasOwn(parsed, name))
  if (!isNew || Object.keys(parsed).length === 0) return JSON.stringify({ ...parsed, ...params })
  // Put in front, so that all else stays as it was written: numbers too large for JavaScript, the order of keys.
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
    // An empty value takes the header away: so does one that repeats a header which the client did not send.
    .filter(([, value]) => value !== '')
  const bad = filled.find(([name, value]) => !isHeader(name, value))
  if (bad) throw new GatewayError('CHANNEL_MISCONFIGURED', { id, reason: `its header ${bad[0]} cannot be sent` })
  return Object.fromEntries([...kept, ...filled])
}
