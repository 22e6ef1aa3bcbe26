import type { LiveChannel } from '../../../../core/channels/directory.ts'
import type { DialectName, Operation } from '../../../../core/channels/operations.ts'
import { GatewayError } from '../../../../core/errors.ts'

const OPERATION_PATHS: Record<Exclude<Operation, 'chat'>, string> = {
  embeddings: '/v1/embeddings',
  images: '/v1/images/generations',
  'image-edits': '/v1/images/edits',
  'image-variations': '/v1/images/variations',
  speech: '/v1/audio/speech',
  transcriptions: '/v1/audio/transcriptions',
  translations: '/v1/audio/translations',
  moderations: '/v1/moderations',
  rerank: '/v1/rerank',
  realtime: '/v1/realtime',
}
const CHAT_PATHS: Partial<Record<DialectName, string>> = {
  'openai-chat': '/v1/chat/completions',
  'openai-completions': '/v1/completions',
  'openai-responses': '/v1/responses',
  'anthropic-messages': '/v1/messages',
}

/** Bases that end in their own version already contain what `/v1` would add. */
const VERSIONED_BASE = /\/(v\d+|openai)$/
/** What a versioned base already contains of a path. */
const VERSION = /^(\/api)?\/v\d+(?=\/)/
const CLOUDFLARE_GATEWAY = 'https://gateway.ai.cloudflare.com/'

/** The path at OpenAI that serves an operation; a conversation's depends on the dialect it is sent in. */
export function openAiPath(operation: Operation, dialect: DialectName): string {
  const path = operation === 'chat' ? CHAT_PATHS[dialect] : OPERATION_PATHS[operation]
  if (!path) throw new GatewayError('OPERATION_UNSUPPORTED', { reason: `${dialect} has no address at this upstream` })
  return path
}

/** Where a channel serves what OpenAI serves under `path`; `model` is for addresses that name it. */
export function openAiAddress(
  { baseUrl, type }: Pick<LiveChannel, 'baseUrl' | 'type'>,
  { path, model, query = '' }: { path: string; model: string; query?: string },
): string {
  if (type.completeUrl) return baseUrl.replaceAll('{model}', encodeURIComponent(model))
  return joinAddress(baseUrl, type.path?.[path] ?? path) + (query && `?${query}`)
}

/** Where a path of a vendor's API is, below a base URL that may or may not name a version of its own. */
export function joinAddress(baseUrl: string, path: string): string {
  if (baseUrl.startsWith(CLOUDFLARE_GATEWAY)) return baseUrl + path.replace(VERSION, '')
  if (!VERSIONED_BASE.test(baseUrl)) return baseUrl + path
  // `/beta/completions` stands beside `/v1`, not below it.
  return VERSION.test(path) ? baseUrl + path.replace(VERSION, '') : baseUrl.replace(/\/v\d+$/, '') + path
}
