import ipaddr from 'ipaddr.js'
import { GatewayError } from '../errors.ts'

/** Checks an allow list, one address or CIDR range per line. Answers it tidied; throws FIELD_ADDRESSES with the bad line. */
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

/** The lines of an allow list as the database has it. */
export function addressesIn(column: unknown): string[] {
  return String(column ?? '')
    .split('\n')
    .filter(Boolean)
}

/** Whether an address is on an allow list; an empty list allows every address, IPv4 counts the same when mapped to IPv6. */
export function addressAllowed(list: readonly string[], address: string): boolean {
  if (list.length === 0) return true
  if (!ipaddr.isValid(address)) return false
  const caller = ipaddr.process(address)
  return list.some((entry) => {
    // Rows of other programs may hold anything: such a line lets nobody in.
    if (!ipaddr.isValid(entry) && !ipaddr.isValidCIDR(entry)) return false
    const [range, bits] = entry.includes('/') ? ipaddr.parseCIDR(entry) : ([ipaddr.process(entry), undefined] as const)
    if (range.kind() !== caller.kind()) return false
    return caller.match(range, bits ?? (range.kind() === 'ipv4' ? 32 : 128))
  })
}
