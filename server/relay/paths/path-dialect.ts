import type { IncomingHttpHeaders } from 'node:http'
import type { DialectName } from '../../../core/channels/operations.ts'

/** Whose paths they are, whether or not we serve them; the first that fits counts. */
const OWNERS: readonly (readonly [under: string, dialect: DialectName])[] = [
  ['/v1beta/openai', 'openai-chat'],
  ['/v1beta', 'gemini'],
  ['/v1alpha', 'gemini'],
  ['/v1/messages', 'anthropic-messages'],
]

/** In whose words somebody who asks for this path reads errors; undefined where no vendor has it to itself. */
export function dialectOfPath(path: string): DialectName | undefined {
  return OWNERS.find(([under]) => path === under || path.startsWith(`${under}/`))?.[1]
}

/** The vendor that a request is for by the headers that only its clients send; undefined if it has none of them. */
export function dialectOfHeaders(headers: IncomingHttpHeaders): DialectName | undefined {
  if (headers['anthropic-version'] !== undefined) return 'anthropic-messages'
  return headers['x-goog-api-key'] === undefined ? undefined : 'gemini'
}

/** The format of errors of a request that no route serves: by its path, else by its headers. */
export function dialectOfUnknown(path: string, headers: IncomingHttpHeaders): DialectName {
  return dialectOfPath(path) ?? dialectOfHeaders(headers) ?? 'openai-chat'
}
