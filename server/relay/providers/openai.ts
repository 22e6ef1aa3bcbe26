import type { LiveChannel } from '../../../core/channels/directory.ts'
import { readFailure } from './failure.ts'
import type { Provider, RelayRequest } from './provider.ts'

const PATHS = { chat: '/v1/chat/completions', completions: '/v1/completions', embeddings: '/v1/embeddings' } as const
/** Bases that end in their own version already contain what `/v1` would add. */
const VERSIONED_BASE = /\/(v\d+|openai)$/
const CLOUDFLARE_GATEWAY = 'https://gateway.ai.cloudflare.com/'

/** OpenAI and the many that speak its language: https://platform.openai.com/docs/api-reference */
export const openai: Provider = {
  renamesModel: false,
  failure: readFailure,
  request(request, channel) {
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      accept: request.stream ? 'text/event-stream' : 'application/json',
      authorization: `Bearer ${channel.key}`,
    }
    Object.assign(headers, request.headers)
    if (channel.organization && channel.type.type === 1) headers['openai-organization'] = channel.organization
    return { url: address(request, channel), headers, body: upstreamBody(request, channel) }
  },
}

function address({ operation, model, query }: RelayRequest, { baseUrl, type }: LiveChannel): string {
  if (type.completeUrl) return baseUrl.replaceAll('{model}', encodeURIComponent(model))
  return openAiAddress(baseUrl, type.path?.[PATHS[operation]] ?? PATHS[operation]) + (query && `?${query}`)
}

/** Where a path of OpenAI's API is, below a base URL that may or may not name a version of its own. */
export function openAiAddress(baseUrl: string, path: string): string {
  const shortened = VERSIONED_BASE.test(baseUrl) || baseUrl.startsWith(CLOUDFLARE_GATEWAY)
  return baseUrl + (shortened ? path.replace('/v1/', '/') : path)
}

/**
 * The client's own bytes, whenever nothing in them must change: unknown fields, number formats and key order arrive as
 * they were sent. Asking the upstream for usage is spliced in; a mapped model needs the body written anew.
 */
export function upstreamBody({ raw, body, model, stream }: RelayRequest, { type }: LiveChannel): Buffer | string {
  const askUsage = stream && type.streamUsage && !asksForUsage(body)
  const dropOptions = !type.streamUsage && 'stream_options' in body
  if (model !== body.model || dropOptions || (askUsage && 'stream_options' in body)) {
    const { stream_options, ...rest }: Record<string, unknown> = { ...body, model }
    const options =
      askUsage || asksForUsage(body) ? { ...(stream_options as object), include_usage: true } : stream_options
    return JSON.stringify(type.streamUsage && options !== undefined ? { ...rest, stream_options: options } : rest)
  }
  if (!askUsage) return raw
  const brace = raw.indexOf('{')
  return Buffer.concat([raw.subarray(0, brace + 1), ASK_USAGE, raw.subarray(brace + 1)])
}

const ASK_USAGE = Buffer.from('"stream_options":{"include_usage":true},')

/** Whether the client wants the usage chunk of a stream for itself. */
export function asksForUsage(body: Readonly<Record<string, unknown>>): boolean {
  return (body.stream_options as { include_usage?: unknown } | null | undefined)?.include_usage === true
}
