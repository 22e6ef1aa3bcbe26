import type { FastifyRequest } from 'fastify'
import { GatewayError } from '../../core/errors.ts'
import type { Options } from '../../core/options/options.ts'
import { OPTIONS } from '../../core/options/registry.ts'

const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Accepted values of Sec-Fetch-Site. Others may own subdomains (`same-site`). https://www.w3.org/TR/fetch-metadata/ */
const OWN_SITES = new Set(['same-origin', 'none'])

/** Whether a request changes state: all methods but reads, and routes marked `acts`. */
export const changesState = ({ method, acts }: { method: string; acts?: boolean | undefined }): boolean =>
  acts === true || !READ_METHODS.has(method)

/**
 * Rejects requests from pages of other sites, whose forms or scripts could act with the user's session. Programs send neither
 * header and pass. Throws REQUEST_CROSS_SITE, BODY_NOT_JSON.
 */
export function rejectForeignPage(request: FastifyRequest, options: Options): void {
  const { method, headers, routeOptions } = request
  const { origin, 'sec-fetch-site': site } = headers
  if (changesState({ method, acts: routeOptions.config.acts })) {
    if (typeof site === 'string' && !OWN_SITES.has(site)) {
      throw new GatewayError('REQUEST_CROSS_SITE', { site: site.slice(0, 100) })
    }
    // Browsers send no Sec-Fetch-Site without TLS.
    if (site === undefined && origin !== undefined && !isOwnOrigin(origin, request, options))
      throw new GatewayError('REQUEST_CROSS_SITE', { site: origin.slice(0, 100) })
  }
  // Forms cannot send JSON, and scripts of other sites may not.
  if ((origin ?? site ?? headers.cookie) !== undefined && hasBody(request)) requireJson(headers['content-type'] ?? '')
}

/** Whether an origin is the gateway's. Behind a proxy, browsers may use another host: that of the option ServerAddress. */
function isOwnOrigin(origin: string, { host, headers }: FastifyRequest, options: Options): boolean {
  // Browsers send an opaque origin as the text `null`.
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
