import type { IncomingHttpHeaders } from 'node:http'
import type { DialectName } from '../../../core/channels/routing/operations.ts'

/** Dialects of errors by path prefix, also for paths that the gateway does not serve. The first match applies. */
const DIALECT_OF_PREFIX: readonly (readonly [prefix: string, dialect: DialectName])[] = [
  ['/v1beta/openai', 'openai-chat'],
  ['/v1beta', 'gemini'],
  ['/v1alpha', 'gemini'],
  ['/v1/messages', 'anthropic-messages'],
  ['/anthropic', 'anthropic-messages'],
]

/** Returns the dialect of errors for a path, or undefined if the path has no vendor's prefix. */
export function dialectOfPath(path: string): DialectName | undefined {
  return DIALECT_OF_PREFIX.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))?.[1]
}

/** Returns the dialect of the vendor whose clients send these headers, if only one vendor's clients do. */
function dialectOfHeaders(headers: IncomingHttpHeaders): DialectName | undefined {
  if (headers['anthropic-version'] !== undefined) return 'anthropic-messages'
  return headers['x-goog-api-key'] === undefined ? undefined : 'gemini'
}

/** Returns the dialect of errors for a request without a route, by its path, else by its headers, else OpenAI's. */
export function dialectOfUnknown(path: string, headers: IncomingHttpHeaders): DialectName {
  return dialectOfPath(path) ?? dialectOfHeaders(headers) ?? 'openai-chat'
}
