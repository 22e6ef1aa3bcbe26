import { GatewayError } from '../errors.ts'
import type { ChannelSettings } from './settings.ts'

/** Proxies that a channel may name. `socks5h` says aloud what `socks5` does here: the proxy resolves the host's name. */
const PROTOCOLS = ['http:', 'https:', 'socks5:', 'socks5h:']

/** The proxy that a setting names; undefined when it is no address, or one of a kind that is not spoken here. */
export function parseProxy(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.hostname && PROTOCOLS.includes(url.protocol) && isDecodable(url) ? url : undefined
}

/** User and password are percent-encoded in an address, and sent as they are. */
function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}

/**
 * The proxy that a channel's requests go through; undefined = none. Throws CHANNEL_MISCONFIGURED, which does not repeat
 * the setting: there may be a password in it.
 */
export function proxyOf({ id, settings }: { id: number; settings: Pick<ChannelSettings, 'proxy'> }): URL | undefined {
  if (!settings.proxy) return undefined
  const proxy = parseProxy(settings.proxy)
  if (proxy) return proxy
  throw new GatewayError('CHANNEL_MISCONFIGURED', { id, reason: 'its proxy must be http://, https:// or socks5://' })
}
