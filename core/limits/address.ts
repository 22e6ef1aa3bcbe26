import ipaddr from 'ipaddr.js'

const IPV6_NETWORK_BITS = 64

/**
 * Returns the address by which limits count. An IPv4 address stays the same, and an IPv4-mapped IPv6 address becomes an
 * IPv4 address. Another IPv6 address becomes its /64 network, because a client usually has all addresses of its /64.
 * Returns undefined if the text is not an address.
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
