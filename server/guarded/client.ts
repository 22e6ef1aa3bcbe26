import type { EventEmitter } from 'node:events'
import type { AllowedHost } from '../../core/allowed-hosts.ts'
import { parseProxy } from '../../core/channels/settings/proxy.ts'
import { GatewayError } from '../../core/errors.ts'
import { type Downloaded, type DownloadOptions, download } from './download.ts'
import { mediaType } from './media-type.ts'
import { type Lookup, publicAddresses, systemAddresses } from './targets.ts'

const TIMEOUT_MS = 60_000
const REDIRECTS_MAX = 3
const WORKER_HEADERS = { 'content-type': 'application/json' }

/** The only client for untrusted URLs: those of users, and their redirects. */
export interface GuardedClient {
  /**
   * Downloads a URL, and detects the type from the bytes. Connects only to public addresses and those that the operator allows,
   * also after redirects; a `proxy` gets a host only after it was checked here. `signal` emits `abort`. Throws MEDIA_REFUSED,
   * MEDIA_UNAVAILABLE; their reasons reveal no address that the client did not know.
   */
  fetch(url: string, options?: FetchOptions): Promise<{ data: Buffer; mime: string }>
}

export interface FetchOptions {
  readonly proxy?: string | undefined
  readonly signal?: AbortSignal | EventEmitter | undefined
  /** Timeout for each host to connect and begin its reply. */
  readonly firstByteMs?: number
}

type Sending = Pick<DownloadOptions, 'proxy' | 'signal' | 'firstByteMs'>

/** An operator's own downloader: it gets the URL and downloads from its own network. */
export interface Worker {
  readonly url: string
  readonly key: string
}

export interface GuardedOptions {
  readonly allowHosts: readonly AllowedHost[]
  readonly bytesMax: number
  /** Undefined: the gateway downloads itself. Called for each download, so that changes apply at once. */
  readonly worker?: () => Worker | undefined
  readonly lookup?: Lookup
  readonly timeoutMs?: number
}

export function createGuardedClient({
  allowHosts,
  bytesMax,
  worker = () => undefined,
  lookup = systemAddresses,
  timeoutMs = TIMEOUT_MS,
}: GuardedOptions): GuardedClient {
  /** Resolved once: connections use the checked addresses. */
  const addressesOf = (url: URL) => publicAddresses(url, { allowHosts, lookup })

  async function follow(address: string, options: Sending): Promise<Downloaded> {
    let url = checkedUrl(address)
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
      const addresses = await addressesOf(url)
      const found = await download(url, { ...options, addresses, bytesMax })
      if (found.location === undefined) return found
      url = checkedUrl(found.location, url)
    }
    return unavailable(`it redirects more than ${REDIRECTS_MAX} times`)
  }

  async function throughWorker(address: string, { url, key, ...options }: Worker & Sending): Promise<Downloaded> {
    const target = checkedUrl(address)
    if (target.protocol !== 'https:') refuse('only https addresses are downloaded here')
    await addressesOf(target)
    const found = await download(new URL(url), {
      ...options,
      bytesMax,
      post: { headers: WORKER_HEADERS, body: JSON.stringify({ url: target.href, key }) },
    })
    return found.location === undefined ? found : unavailable('the download service redirects')
  }

  return {
    async fetch(address, { proxy: setting, signal, ...limits } = {}) {
      const proxy = setting ? parseProxy(setting) : undefined
      // Without its proxy, the download would use a route that the operator did not choose.
      if (setting && !proxy) return unavailable("the channel's proxy is not set up")
      const ending = endingWith(signal, timeoutMs)
      try {
        const helper = worker()
        const options = { ...limits, proxy, signal: ending.signal }
        const found = await ending.orEnd(
          helper ? throughWorker(address, { ...helper, ...options }) : follow(address, options),
        )
        if (found.data.length === 0) return unavailable('it is empty')
        return { data: found.data, mime: mediaType(found.data, found.declared) }
      } catch (error) {
        if (error instanceof GatewayError) throw error
        return unavailable(ending.timedOut() ? 'it took too long' : 'its host does not answer', error)
      } finally {
        ending.stop()
      }
    },
  }
}

/** Throws MEDIA_REFUSED for a URL that cannot be a web file. The URL parser has normalized all notations of IP addresses. */
function checkedUrl(address: string, base?: URL): URL {
  if (!URL.canParse(address, base?.href)) return refuse('it is not an address')
  const url = new URL(address, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refuse('only http and https are downloaded')
  if (url.username || url.password) return refuse('it has a user name or a password in it')
  url.hash = ''
  return url
}

/** Combines the relay's signal and the timeout in one signal, also for steps that accept none. */
function endingWith(outer: AbortSignal | EventEmitter | undefined, timeoutMs: number) {
  const controller = new AbortController()
  let late = false
  const abort = () => controller.abort()
  const timer = setTimeout(() => {
    late = true
    abort()
  }, timeoutMs)
  if (outer && 'addEventListener' in outer) {
    if (outer.aborted) abort()
    outer.addEventListener('abort', abort)
  } else outer?.on('abort', abort)
  return {
    signal: controller.signal,
    timedOut: () => late,
    orEnd<T>(work: Promise<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        const end = () => reject(new Error('ended'))
        if (controller.signal.aborted) end()
        controller.signal.addEventListener('abort', end, { once: true })
        work.then(resolve, reject)
      })
    },
    stop() {
      clearTimeout(timer)
      if (outer && 'removeEventListener' in outer) outer.removeEventListener('abort', abort)
      else outer?.off('abort', abort)
      abort()
    },
  }
}

function refuse(reason: string): never {
  throw new GatewayError('MEDIA_REFUSED', { reason })
}

function unavailable(reason: string, cause?: unknown): never {
  throw new GatewayError('MEDIA_UNAVAILABLE', { reason }, { cause })
}
