/** Proxies that a channel may name. `socks5h` says aloud what `socks5` does here: the proxy resolves the host's name. */
const PROTOCOLS = ['http:', 'https:', 'socks5:', 'socks5h:']

/** The proxy that a setting names; undefined when it is no address, or one of a kind that is not spoken here. */
export function parseProxy(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.hostname && PROTOCOLS.includes(url.protocol) ? url : undefined
}
