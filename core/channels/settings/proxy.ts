import { GatewayError } from '../../errors.ts'
import type { ChannelSettings } from './settings.ts'

/** Supported proxy protocols. `socks5` and `socks5h` mean the same: the proxy resolves the host name. */
const PROTOCOLS = ['http:', 'https:', 'socks5:', 'socks5h:']

/** Returns the proxy URL of a setting, or undefined for an invalid URL, protocol, user or password. */
export function parseProxy(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.hostname && PROTOCOLS.includes(url.protocol) && isDecodable(url) ? url : undefined
}

/** Returns whether the user and password can be percent-decoded. The gateway sends them decoded. */
function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}

/**
 * Returns the proxy for a channel's requests, or undefined if the channel has no proxy. Throws CHANNEL_MISCONFIGURED if
 * the proxy is invalid. The error does not contain the proxy, which may include a password.
 */
export function proxyOf({ id, settings }: { id: number; settings: Pick<ChannelSettings, 'proxy'> }): URL | undefined {
  if (!settings.proxy) return undefined
  const proxy = parseProxy(settings.proxy)
  if (proxy) return proxy
  throw new GatewayError('CHANNEL_MISCONFIGURED', { id, reason: 'its proxy must be http://, https:// or socks5://' })
}
