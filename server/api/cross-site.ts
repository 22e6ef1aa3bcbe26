import type { FastifyRequest } from 'fastify'
import { GatewayError } from '../../core/errors.ts'
import type { Options } from '../../core/options/options.ts'
import { OPTIONS } from '../../core/options/registry.ts'

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Not a page of another subdomain (`same-site`): other people may own it. https://www.w3.org/TR/fetch-metadata/ */
const OWN = new Set(['same-origin', 'none'])

/** Whether a request changes something: all but GET do, and the routes that are marked. */
export const changesState = ({ method, acts }: { method: string; acts?: boolean | undefined }): boolean =>
  acts === true || !READING.has(method)

/**
 * Rejects what a page of another site sends: by a form or a script it could act as the person who reads it. Programs send
 * neither of these headers, and pass. Throws REQUEST_CROSS_SITE, BODY_NOT_JSON.
 */
export function rejectForeignPage(request: FastifyRequest, options: Options): void {
  const { method, headers, routeOptions } = request
  const { origin, 'sec-fetch-site': site } = headers
  if (changesState({ method, acts: routeOptions.config.acts })) {
    if (typeof site === 'string' && !OWN.has(site)) {
      throw new GatewayError('REQUEST_CROSS_SITE', { site: site.slice(0, 100) })
    }
    // Browsers send no Sec-Fetch-Site without TLS.
    if (site === undefined && origin !== undefined && !isOwnOrigin(origin, request, options))
      throw new GatewayError('REQUEST_CROSS_SITE', { site: origin.slice(0, 100) })
  }
  // A form cannot send JSON, and a script of another site may not.
  if ((origin ?? site ?? headers.cookie) !== undefined && hasBody(request)) requireJson(headers['content-type'] ?? '')
}

/** Proxies may name the gateway otherwise than browsers do: then its public address counts. */
function isOwnOrigin(origin: string, { host, headers }: FastifyRequest, options: Options): boolean {
  // A page without an origin of its own sends the text `null`.
  if (!URL.canParse(origin)) return false
  const { host: asked, protocol } = new URL(origin)
  const addresses = [`${protocol}//${host}`, `${protocol}//${headers.host}`, options.get(OPTIONS.ServerAddress)]
  return addresses.some((address) => URL.canParse(address) && new URL(address).host === asked)
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function requireJson(contentType: string): void {
  const type = contentType.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw new GatewayError('BODY_NOT_JSON', { type: contentType.slice(0, 100) || '-' })
}
