import { usageError } from '../errors.ts'
import type { Environment } from '../io.ts'
import type { Texts } from '../texts.ts'

type Fetch = typeof globalThis.fetch

/** The proxy for calls, and its environment variable. */
export interface ForwardProxy {
  variable: string
  /** Origin of the proxy, without a password. */
  displayUrl: string
  url: string
}

/**
 * Returns the proxy for calls to `server`. For https, this is HTTPS_PROXY, or else HTTP_PROXY. For http, this is
 * HTTP_PROXY. The names may be in lower case, which takes precedence. Returns undefined if no proxy is set, or if
 * NO_PROXY has the host. Throws a usage error for an invalid proxy.
 */
export function proxyFor(server: string, env: Environment, { t }: Pick<Texts, 't'>): ForwardProxy | undefined {
  const { protocol, hostname, port } = new URL(server)
  const httpsNames = ['https_proxy', 'HTTPS_PROXY']
  const names = [...(protocol === 'https:' ? httpsNames : []), 'http_proxy', 'HTTP_PROXY']
  const variable = names.find((name) => env[name]?.trim())
  if (variable === undefined) return undefined
  const address = { hostname, port: port || (protocol === 'https:' ? '443' : '80') }
  if (isExempt(address, env.no_proxy || env.NO_PROXY || '')) return undefined
  const text = env[variable]?.trim() ?? ''
  const proxyUrl = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const url = URL.canParse(proxyUrl) ? new URL(proxyUrl) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    // The message omits the invalid value, which may contain a password.
    throw usageError(t('server.isNotAUsableProxy', { variable }))
  }
  return { variable, displayUrl: url.origin, url: proxyUrl }
}

/** Returns a fetch function that uses the proxy, if any. */
export async function fetchThrough(proxy: ForwardProxy | undefined): Promise<Fetch> {
  if (!proxy) return globalThis.fetch
  const { ProxyAgent, fetch } = await import('undici')
  const dispatcher = new ProxyAgent(proxy.url)
  // Both types follow the fetch standard, but TypeScript treats them as different.
  const proxied = (url: URL, init: RequestInit) => fetch(url, { ...(init as object), dispatcher })
  return proxied as unknown as Fetch
}

/** Whether NO_PROXY contains the host, a parent domain, or `*`. A host with a port exempts only that port. */
function isExempt({ hostname, port }: { hostname: string; port: string }, noProxy: string): boolean {
  const normalizeHost = (text: string) => text.replace(/^\[|\]$/g, '').toLowerCase()
  return noProxy.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true
    const [, name = '', noProxyPort] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? [undefined, entry]
    const noProxyHost = normalizeHost(name.replace(/^\*?\./, ''))
    if (noProxyHost === '' || (noProxyPort !== undefined && noProxyPort !== port)) return false
    return normalizeHost(hostname) === noProxyHost || normalizeHost(hostname).endsWith(`.${noProxyHost}`)
  })
}
