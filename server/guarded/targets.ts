import { lookup as systemLookup } from 'node:dns/promises'
import { type AllowedHost, hostOf, isAllowedAddress, isAllowedHost } from '../../core/allowed-hosts.ts'
import { GatewayError } from '../../core/errors.ts'
import { because } from '../../core/messages/reasons.ts'
import type { HostAddress } from '../connections.ts'
import { isPublicAddress } from './addresses.ts'

/** Lowest allowed port besides the web ports. Lower ports belong to other services. */
const FREE_PORT_MIN = 1024
const WEB_PORTS = new Set([80, 443])

export type Lookup = (host: string) => Promise<readonly HostAddress[]>

export const systemAddresses: Lookup = (host) => systemLookup(host, { all: true })

/**
 * Returns the addresses of an untrusted URL's host, if all are public or allowed by the operator. The connection must
 * use these addresses without resolving the host again. Throws MEDIA_REFUSED, MEDIA_UNAVAILABLE.
 */
export async function publicAddresses(
  url: URL,
  { allowHosts, lookup }: { allowHosts: readonly AllowedHost[]; lookup: Lookup },
): Promise<readonly HostAddress[]> {
  const host = hostOf(url)
  const port = Number(url.port) || (url.protocol === 'https:' || url.protocol === 'wss:' ? 443 : 80)
  const addresses = await lookup(host).catch((cause) => unknownHost(cause))
  if (addresses.length === 0) return unknownHost()
  if (isAllowedHost(allowHosts, { host, port })) return addresses
  if (addresses.every(({ address }) => isAllowedAddress(allowHosts, address))) return addresses
  if (!WEB_PORTS.has(port) && port < FREE_PORT_MIN)
    return refuse(`port ${port} is not allowed: use 80, 443, or a port from ${FREE_PORT_MIN}`)
  if (!addresses.every(({ address }) => isPublicAddress(address))) return refuse('its host is not a public one')
  return addresses
}

function refuse(reason: string): never {
  throw new GatewayError('MEDIA_REFUSED', { reason })
}

function unknownHost(cause?: unknown): never {
  throw new GatewayError('MEDIA_UNAVAILABLE', because('unknownHost'), { cause })
}
