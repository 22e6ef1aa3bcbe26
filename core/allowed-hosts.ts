import ipaddr from 'ipaddr.js'

type Ip = ipaddr.IPv4 | ipaddr.IPv6

/** A non-public download target that the operator allows: a host, optionally with a port, or an address range. */
export type AllowedHost =
  | { readonly kind: 'host'; readonly host: string; readonly port: number | undefined }
  | { readonly kind: 'range'; readonly range: [Ip, number] }

const HOST = /^(\[[\da-f:.]+\]|[^\s:/@*[\]]+)(?::(\d{1,5}))?$/i

/** Parses `host`, `host:port`, an address, or a range such as `10.0.0.0/8`. Returns undefined for other text. */
export function parseAllowedHost(text: string): AllowedHost | undefined {
  if (text.includes('/')) return ipaddr.isValidCIDR(text) ? { kind: 'range', range: ipaddr.parseCIDR(text) } : undefined
  const bracketed = ipaddr.IPv6.isValid(text) ? `[${text}]` : text
  const [, name, port] = HOST.exec(bracketed) ?? []
  // The URL parser normalizes the hosts of downloads. Normalize this host in the same way.
  if (!name || !URL.canParse(`http://${name}`) || Number(port ?? 0) > 65_535) return undefined
  const host = hostOf(new URL(`http://${name}`))
  return { kind: 'host', host, port: port === undefined ? undefined : Number(port) }
}

/** Returns the host of a URL without brackets and without the final dot of a fully qualified name. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

/** Returns whether a host and port are allowed by name. */
export function isAllowedHost(
  allowed: readonly AllowedHost[],
  { host, port }: { host: string; port: number },
): boolean {
  return allowed.some(
    (entry) => entry.kind === 'host' && entry.host === host && (entry.port === undefined || entry.port === port),
  )
}

/** Returns whether an IP address is in an allowed range. */
export function isAllowedAddress(allowed: readonly AllowedHost[], address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const ip = ipaddr.process(address)
  return allowed.some((entry) => entry.kind === 'range' && entry.range[0].kind() === ip.kind() && ip.match(entry.range))
}
