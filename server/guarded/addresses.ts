import ipaddr from 'ipaddr.js'

type Ip = ipaddr.IPv4 | ipaddr.IPv6

/** The range of public IPv6 addresses. All other IPv6 addresses are special or unassigned. RFC 4291 section 2.4 */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')
const SIX_TO_FOUR = ipaddr.IPv6.parseCIDR('2002::/16')
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')
/** Azure's platform address. It is in a public range, but it reaches internal services of the cloud. */
const CLOUD_IPV4 = new Set(['168.63.129.16'])
/** Documentation range, RFC 9637. */
const DOCUMENTATION_IPV6 = ipaddr.IPv6.parseCIDR('3fff::/20')

/**
 * Returns whether an IP address is public, so that the gateway may connect to it for a client. Returns false for all
 * special ranges of the IANA registries (RFC 6890), and for IPv6 addresses that embed a special IPv4 address.
 */
export function isPublicAddress(text: string): boolean {
  return ipaddr.isValid(text) && isPublic(ipaddr.parse(text))
}

function isPublic(ip: Ip): boolean {
  if (ip instanceof ipaddr.IPv4) return ip.range() === 'unicast' && !CLOUD_IPV4.has(ip.toString())
  const inner = embeddedIpv4(ip)
  if (inner) return isPublic(inner)
  return ip.zoneId === undefined && ip.range() === 'unicast' && ip.match(GLOBAL_IPV6) && !ip.match(DOCUMENTATION_IPV6)
}

/** Returns the IPv4 address that an IPv6 address contains: mapped (RFC 4291), 6to4 (RFC 3056), NAT64 (RFC 6052). */
function embeddedIpv4(ip: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const bytes = ip.toByteArray()
  if (ip.isIPv4MappedAddress()) return ip.toIPv4Address()
  if (ip.match(SIX_TO_FOUR)) return new ipaddr.IPv4(bytes.slice(2, 6))
  if (ip.match(NAT64)) return new ipaddr.IPv4(bytes.slice(12))
  return undefined
}
