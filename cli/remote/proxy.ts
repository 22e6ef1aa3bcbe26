import { usageError } from '../errors.ts'
import type { Environment } from '../surroundings.ts'
import type { Texts } from '../texts.ts'

type Fetch = typeof globalThis.fetch

/** The proxy that calls go through, and the variable that names it. */
export interface ForwardProxy {
  variable: string
  /** Without the password that may be in it. */
  shown: string
  url: string
}

/**
 * The proxy for a server, by HTTPS_PROXY (without it HTTP_PROXY), HTTP_PROXY and NO_PROXY, spelt as curl takes them; undefined
 * for none. Throws a usage error for one that cannot be used.
 */
export function proxyFor(server: string, env: Environment, { say }: Pick<Texts, 'say'>): ForwardProxy | undefined {
  const { protocol, hostname, port } = new URL(server)
  const secure = ['https_proxy', 'HTTPS_PROXY']
  const names = [...(protocol === 'https:' ? secure : []), 'http_proxy', 'HTTP_PROXY']
  const variable = names.find((name) => env[name]?.trim())
  if (variable === undefined) return undefined
  const own = { hostname, port: port || (protocol === 'https:' ? '443' : '80') }
  if (isExempt(own, env.no_proxy || env.NO_PROXY || '')) return undefined
  const text = env[variable]?.trim() ?? ''
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const url = URL.canParse(whole) ? new URL(whole) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    // What cannot be read may have a password anywhere.
    throw usageError(
      say`${variable} names no proxy that can be used: give it one such as http://proxy.example:8080, or unset it`,
    )
  }
  return { variable, shown: url.origin, url: whole }
}

/** How to call servers: through that proxy, or straight. */
export async function fetchThrough(proxy: ForwardProxy | undefined): Promise<Fetch> {
  if (!proxy) return globalThis.fetch
  const { ProxyAgent, fetch } = await import('undici')
  const dispatcher = new ProxyAgent(proxy.url)
  // The same standard, declared twice.
  const proxied = (url: URL, init: RequestInit) => fetch(url, { ...(init as object), dispatcher })
  return proxied as unknown as Fetch
}

/** Whether NO_PROXY has a name, one above it, or `*`; with a port, only that one. */
function isExempt({ hostname, port }: { hostname: string; port: string }, noProxy: string): boolean {
  const bare = (text: string) => text.replace(/^\[|\]$/g, '').toLowerCase()
  return noProxy.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true
    const [, name = '', only] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? [undefined, entry]
    const known = bare(name.replace(/^\*?\./, ''))
    if (known === '' || (only !== undefined && only !== port)) return false
    return bare(hostname) === known || bare(hostname).endsWith(`.${known}`)
  })
}
