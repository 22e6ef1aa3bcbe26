import type { IncomingHttpHeaders } from 'node:http'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import { fillHeader, isHeader } from '../../../core/channels/settings/headers.ts'
import { GatewayError } from '../../../core/errors.ts'
import { parseObject } from '../../../core/input.ts'
import type { ProviderRequest, UpstreamRequest } from '../providers/provider.ts'

/**
 * Applies the overrides of a channel: `param_override` to the top level of a JSON body, `header_override` to the
 * headers. With `pass_through_body_enabled`, forwards the client's body unchanged if the upstream uses the client's
 * format. Throws CHANNEL_MISCONFIGURED if a header is invalid after its placeholders were filled.
 */
export function withOverrides(
  request: UpstreamRequest,
  {
    ask,
    channel,
    native,
  }: { ask: Pick<ProviderRequest, 'raw' | 'clientHeaders'>; channel: OverridingChannel; native: boolean },
): UpstreamRequest {
  const { paramOverride, headerOverride, passThroughBody } = channel.settings
  const passesThrough = passThroughBody && native && isInMemory(request.body)
  if (!paramOverride && !headerOverride && !passesThrough) return request
  const overridden = paramOverride ? overriddenBody(request.body, paramOverride) : request.body
  return {
    ...request,
    body: passesThrough ? ask.raw : overridden,
    headers: headerOverride ? overriddenHeaders(request.headers, channel, ask.clientHeaders ?? {}) : request.headers,
  }
}

type OverridingChannel = Pick<LiveChannel, 'id' | 'key' | 'settings'>
type RequestBody = UpstreamRequest['body']

function isInMemory(body: RequestBody): body is Buffer | string {
  return body !== null && typeof body !== 'function'
}

/** Returns a body with the overridden fields. Returns the same body if it is not a JSON object, for example a form. */
function overriddenBody(body: RequestBody, params: Readonly<Record<string, unknown>>): RequestBody {
  if (!isInMemory(body)) return body
  const text = body.toString()
  const parsed = parseObject(text)
  if (!parsed) return body
  const onlyAddsFields = Object.keys(params).every((name) => !Object.hasOwn(parsed, name))
  if (!onlyAddsFields || Object.keys(parsed).length === 0) return JSON.stringify({ ...parsed, ...params })
  // Insert the fields at the front. All other bytes stay the same, which keeps large numbers and the order of keys.
  const brace = text.indexOf('{') + 1
  return `${text.slice(0, brace)}${JSON.stringify(params).slice(1, -1)},${text.slice(brace)}`
}

function overriddenHeaders(
  headers: Readonly<Record<string, string>>,
  { id, key, settings }: OverridingChannel,
  clientHeaders: IncomingHttpHeaders,
): Record<string, string> {
  const templates = settings.headerOverride ?? {}
  const otherHeaders = Object.entries(headers).filter(([name]) => !Object.hasOwn(templates, name.toLowerCase()))
  const clientHeader = (name: string) => String(clientHeaders[name] ?? '')
  const filledHeaders = Object.entries(templates)
    .map(([name, template]): [string, string] => [name, fillHeader(template, { key, clientHeader }).trim()])
    // An empty value removes the header. A placeholder for a missing client header is also empty.
    .filter(([, value]) => value !== '')
  const invalidHeader = filledHeaders.find(([name, value]) => !isHeader(name, value))
  if (invalidHeader)
    throw new GatewayError('CHANNEL_MISCONFIGURED', { id, reason: `its header ${invalidHeader[0]} cannot be sent` })
  return Object.fromEntries([...otherHeaders, ...filledHeaders])
}
