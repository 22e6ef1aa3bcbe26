import type { FastifyRequest } from 'fastify'
import { languageOf } from './envelope.ts'

/**
 * Returns the ETag of a dashboard for a reader. It contains the language, on which the texts of the dashboard's log rows depend.
 */
export const dashboardTag = (request: FastifyRequest, version: string): string =>
  `W/"${version}.${languageOf(request)}"`

/** Returns the version that the client has cached in its current language, or undefined if there is none. */
export function knownVersion(request: FastifyRequest): string | undefined {
  const [, version, language] = /"([\w-]+)\.(\w+)"/.exec(request.headers['if-none-match'] ?? '') ?? []
  return language === languageOf(request) ? version : undefined
}
