import type { FastifyRequest } from 'fastify'
import { languageOf } from './envelope.ts'

/** Returns the ETag of a dashboard for a reader: it contains log rows, whose texts depend on the language. */
export const dashboardTag = (request: FastifyRequest, version: string): string =>
  `W/"${version}.${languageOf(request)}"`

/** Returns the version that the client has in its present language; undefined: none. */
export function knownVersion(request: FastifyRequest): string | undefined {
  const [, version, language] = /"([\w-]+)\.(\w+)"/.exec(request.headers['if-none-match'] ?? '') ?? []
  return language === languageOf(request) ? version : undefined
}
