import ipaddr from 'ipaddr.js'

const IPV6_NETWORK_BITS = 64

/**
 * Returns an address as limits count it: an IPv4 address, also if written as an IPv6 one, or the /64 of an IPv6 address, since
 * one client has all addresses of its /64. Returns undefined for another text.
 */
export function countedAddress(text: string): string | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return text
  const address = text.endsWith(`/${IPV6_NETWORK_BITS}`) ? text.slice(0, text.lastIndexOf('/')) : text
  if (!ipaddr.IPv6.isValid(address)) return undefined
  const parsed = ipaddr.IPv6.parse(address)
  if (parsed.isIPv4MappedAddress()) return address === text ? parsed.toIPv4Address().toString() : undefined
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${IPV6_NETWORK_BITS}`)
  return `${network.toRFC5952String()}/${IPV6_NETWORK_BITS}`
}
