import type { IncomingHttpHeaders } from 'node:http'
import type { DialectName } from '../../../core/channels/routing/operations.ts'

/** The dialect of each path prefix, even if the gateway does not serve all paths below it. The first match applies. */
const OWNERS: readonly (readonly [under: string, dialect: DialectName])[] = [
  ['/v1beta/openai', 'openai-chat'],
  ['/v1beta', 'gemini'],
  ['/v1alpha', 'gemini'],
  ['/v1/messages', 'anthropic-messages'],
  ['/anthropic', 'anthropic-messages'],
]

/** Returns the dialect of errors for a path, or undefined for a path that several vendors use. */
export function dialectOfPath(path: string): DialectName | undefined {
  return OWNERS.find(([under]) => path === under || path.startsWith(`${under}/`))?.[1]
}

/**
 * Returns the dialect of the vendor whose clients send these headers. Undefined without a header that only one vendor's
 * clients send.
 */
export function dialectOfHeaders(headers: IncomingHttpHeaders): DialectName | undefined {
  if (headers['anthropic-version'] !== undefined) return 'anthropic-messages'
  return headers['x-goog-api-key'] === undefined ? undefined : 'gemini'
}

/**
 * Returns the dialect of errors for a request without a route. The path decides, or else the headers. If neither
 * decides, it is OpenAI's.
 */
export function dialectOfUnknown(path: string, headers: IncomingHttpHeaders): DialectName {
  return dialectOfPath(path) ?? dialectOfHeaders(headers) ?? 'openai-chat'
}
