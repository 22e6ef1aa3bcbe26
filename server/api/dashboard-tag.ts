import type { FastifyRequest } from 'fastify'
import { apiLanguageOf } from './envelope.ts'

/**
 * Returns the ETag of a dashboard. It includes the reader's language, because the log rows in the dashboard contain
 * translated texts.
 */
export const dashboardTag = (request: FastifyRequest, version: string): string =>
  `W/"${version}.${apiLanguageOf(request)}"`

/**
 * Returns the dashboard version that the client has cached, or undefined if the cached language is not the current one.
 */
export function knownVersion(request: FastifyRequest): string | undefined {
  const [, version, language] = /"([\w-]+)\.(\w+)"/.exec(request.headers['if-none-match'] ?? '') ?? []
  return language === apiLanguageOf(request) ? version : undefined
}
