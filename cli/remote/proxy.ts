import type { Environment } from '../surroundings.ts'

type Fetch = typeof globalThis.fetch

/** How to call servers: through the proxies that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name, if they name any. */
export async function fetchIn(env: Environment): Promise<Fetch> {
  const httpsProxy = env.https_proxy || env.HTTPS_PROXY
  const httpProxy = env.http_proxy || env.HTTP_PROXY
  if (!httpsProxy && !httpProxy) return globalThis.fetch
  const { EnvHttpProxyAgent, fetch } = await import('undici')
  const noProxy = env.no_proxy || env.NO_PROXY || ''
  const dispatcher = new EnvHttpProxyAgent({
    noProxy,
    ...(httpProxy && { httpProxy }),
    ...(httpsProxy && { httpsProxy }),
  })
  // The same standard, declared twice.
  const proxied = (url: URL, init: RequestInit) => fetch(url, { ...(init as object), dispatcher })
  return proxied as unknown as Fetch
}
