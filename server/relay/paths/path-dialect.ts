import type { IncomingHttpHeaders } from 'node:http'
import type { DialectName } from '../../../core/channels/routing/operations.ts'

/** Vendors by path prefix, served or not; the first match applies. */
const OWNERS: readonly (readonly [under: string, dialect: DialectName])[] = [
  ['/v1beta/openai', 'openai-chat'],
  ['/v1beta', 'gemini'],
  ['/v1alpha', 'gemini'],
  ['/v1/messages', 'anthropic-messages'],
  ['/anthropic', 'anthropic-messages'],
]

/** Returns the dialect of errors on this path; undefined for a path that vendors share. */
export function dialectOfPath(path: string): DialectName | undefined {
  return OWNERS.find(([under]) => path === under || path.startsWith(`${under}/`))?.[1]
}

/** Returns the dialect from headers that only one vendor's clients send; undefined without such headers. */
export function dialectOfHeaders(headers: IncomingHttpHeaders): DialectName | undefined {
  if (headers['anthropic-version'] !== undefined) return 'anthropic-messages'
  return headers['x-goog-api-key'] === undefined ? undefined : 'gemini'
}

/** Returns the format of errors for a request without a route: by its path, else by its headers. */
export function dialectOfUnknown(path: string, headers: IncomingHttpHeaders): DialectName {
  return dialectOfPath(path) ?? dialectOfHeaders(headers) ?? 'openai-chat'
}
