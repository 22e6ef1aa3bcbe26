import ipaddr from 'ipaddr.js'

type Ip = ipaddr.IPv4 | ipaddr.IPv6

/** What the internet gives to anybody: all other IPv6 space is special, or not given out yet. RFC 4291 section 2.4 */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')
const SIX_TO_FOUR = ipaddr.IPv6.parseCIDR('2002::/16')
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')
/** Public by its number, and yet answered by the machine's own cloud: Azure's platform address. */
const CLOUD_IPV4 = new Set(['168.63.129.16'])
/** RFC 9637. */
const DOCUMENTATION_IPV6 = ipaddr.IPv6.parseCIDR('3fff::/20')

/**
 * Whether an IP address can be reached by anybody, so that a client may have us ask it. False for every special range of
 * the registries of IANA (RFC 6890), and for an IPv6 address that stands for a special IPv4 one.
 */
export function isPublicAddress(text: string): boolean {
  return ipaddr.isValid(text) && isPublic(ipaddr.parse(text))
}

function isPublic(ip: Ip): boolean {
  if (ip instanceof ipaddr.IPv4) return ip.range() === 'unicast' && !CLOUD_IPV4.has(ip.toString())
  const inner = embedded(ip)
  if (inner) return isPublic(inner)
  return ip.zoneId === undefined && ip.range() === 'unicast' && ip.match(GLOBAL_IPV6) && !ip.match(DOCUMENTATION_IPV6)
}

/** The IPv4 address that packets to this one end at: mapped (RFC 4291), 6to4 (RFC 3056), NAT64 (RFC 6052). */
function embedded(ip: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const bytes = ip.toByteArray()
  if (ip.isIPv4MappedAddress()) return ip.toIPv4Address()
  if (ip.match(SIX_TO_FOUR)) return new ipaddr.IPv4(bytes.slice(2, 6))
  if (ip.match(NAT64)) return new ipaddr.IPv4(bytes.slice(12))
  return undefined
}
