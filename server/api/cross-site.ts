import type { FastifyRequest } from 'fastify'
import { GatewayError } from '../../core/errors.ts'
import type { Options } from '../../core/options/options.ts'
import { OPTIONS } from '../../core/options/registry.ts'

const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
/**
 * Accepted values of Sec-Fetch-Site. `same-site` is not accepted, because others may control sibling subdomains.
 * https://www.w3.org/TR/fetch-metadata/
 */
const OWN_SITES = new Set(['same-origin', 'none'])

/** Returns whether a request changes data: any method except reads, and any route marked `acts`. */
export const changesState = ({ method, acts }: { method: string; acts?: boolean | undefined }): boolean =>
  acts === true || !READ_METHODS.has(method)

/**
 * Rejects requests from pages of other sites, which could act with the user's session. Programs send neither `Origin`
 * nor `Sec-Fetch-Site`, so they pass. Throws REQUEST_CROSS_SITE, BODY_NOT_JSON.
 */
export function rejectForeignPage(request: FastifyRequest, options: Options): void {
  const { method, headers, routeOptions } = request
  const { origin, 'sec-fetch-site': site } = headers
  if (changesState({ method, acts: routeOptions.config.acts })) {
    if (typeof site === 'string' && !OWN_SITES.has(site)) {
      throw new GatewayError('REQUEST_CROSS_SITE', { site: site.slice(0, 100) })
    }
    // Without TLS, browsers send no Sec-Fetch-Site, so check the origin.
    if (site === undefined && origin !== undefined && !isOwnOrigin(origin, request, options))
      throw new GatewayError('REQUEST_CROSS_SITE', { site: origin.slice(0, 100) })
  }
  // Require JSON, because forms cannot send it. Scripts of other sites would need a preflight, which the gateway does
  // not grant with cookies.
  if ((origin ?? site ?? headers.cookie) !== undefined && hasBody(request)) requireJson(headers['content-type'] ?? '')
}

/** Returns whether an origin is the gateway's own. Behind a proxy, the browser may use the host of ServerAddress. */
function isOwnOrigin(origin: string, { host, headers }: FastifyRequest, options: Options): boolean {
  // Browsers send `null` for an opaque origin.
  if (!URL.canParse(origin)) return false
  const { host: originHost, protocol } = new URL(origin)
  const addresses = [`${protocol}//${host}`, `${protocol}//${headers.host}`, options.get(OPTIONS.ServerAddress)]
  return addresses.some((address) => URL.canParse(address) && new URL(address).host === originHost)
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function requireJson(contentType: string): void {
  const type = contentType.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw new GatewayError('BODY_NOT_JSON', { type: contentType.slice(0, 100) || '-' })
}
