import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import type { DialectName, Operation } from '../../../../core/channels/routing/operations.ts'
import { unsupported } from '../plan-errors.ts'

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

/**
 * Matches base URLs that end in a version, or in Google's `/openai`. If the path also begins with a version, the path's
 * version is removed.
 */
const VERSIONED_BASE = /\/(v\d+|openai)$/
/** Matches the version at the beginning of a path, with a preceding `/api`. */
const VERSION = /^(\/api)?\/v\d+(?=\/)/
export const CLOUDFLARE_GATEWAY = 'https://gateway.ai.cloudflare.com/'

/**
 * Returns OpenAI's path of an operation. For `chat`, the path depends on the dialect. Throws OPERATION_UNSUPPORTED for
 * a dialect without a path.
 */
export function openAiPath(operation: Operation, dialect: DialectName): string {
  const path = operation === 'chat' ? CHAT_PATHS[dialect] : OPERATION_PATHS[operation]
  return path ?? unsupported(`this upstream has no path for ${dialect}`)
}

/**
 * Returns a channel's URL for a path of OpenAI's API. If the type has `completeUrl`, returns the base URL with `{model}`
 * replaced, and ignores `path` and `query`.
 */
export function openAiAddress(
  { baseUrl, type }: Pick<LiveChannel, 'baseUrl' | 'type'>,
  { path, model, query = '' }: { path: string; model: string; query?: string },
): string {
  if (type.completeUrl) return baseUrl.replaceAll('{model}', encodeURIComponent(model))
  return joinAddress(baseUrl, type.path?.[path] ?? path) + (query && `?${query}`)
}

/**
 * Joins a vendor's path to a base URL that may end in a version. For Cloudflare's gateway, always removes the version of
 * the path.
 */
export function joinAddress(baseUrl: string, path: string): string {
  if (baseUrl.startsWith(CLOUDFLARE_GATEWAY)) return baseUrl + path.replace(VERSION, '')
  if (!VERSIONED_BASE.test(baseUrl)) return baseUrl + path
  // If the path has no version, remove the version of the base URL. `/beta/completions` is an example.
  return VERSION.test(path) ? baseUrl + path.replace(VERSION, '') : baseUrl.replace(/\/v\d+$/, '') + path
}
