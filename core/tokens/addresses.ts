import ipaddr from 'ipaddr.js'
import { GatewayError } from '../errors.ts'

/** Normalizes an allow list with one address or CIDR range per line. Throws FIELD_ADDRESSES with the invalid line. */
export function checkAddresses(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.replace(/[\s,]/g, ''))
    .filter(Boolean)
  for (const line of lines) {
    if (!ipaddr.isValid(line) && !ipaddr.isValidCIDR(line)) {
      throw new GatewayError('FIELD_ADDRESSES', { field: 'allow_ips', value: line.slice(0, 60) })
    }
  }
  return lines.join('\n')
}

/** Returns the lines of a stored allow list. */
export function addressesIn(column: unknown): string[] {
  return String(column ?? '')
    .split('\n')
    .filter(Boolean)
}

/** Returns whether an allow list permits an address. An empty list permits all. IPv4-mapped IPv6 counts as IPv4. */
export function isAddressAllowed(list: readonly string[], address: string): boolean {
  if (list.length === 0) return true
  if (!ipaddr.isValid(address)) return false
  const client = ipaddr.process(address)
  return list.some((entry) => {
    // Ignore invalid lines, because imported lists may contain any text.
    if (!ipaddr.isValid(entry) && !ipaddr.isValidCIDR(entry)) return false
    const [range, bits] = entry.includes('/') ? ipaddr.parseCIDR(entry) : ([ipaddr.process(entry), undefined] as const)
    if (range.kind() !== client.kind()) return false
    return client.match(range, bits ?? (range.kind() === 'ipv4' ? 32 : 128))
  })
}
