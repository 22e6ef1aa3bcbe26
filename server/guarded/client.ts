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

/** The only client for URLs that users send, and for the redirects of such URLs. */
export interface GuardedClient {
  /**
   * Downloads a URL, and detects the media type from the bytes. Connects only to public addresses and to addresses that
   * the operator allows, also after redirects. Checks each host before the host is passed to a `proxy`. An abort of
   * `signal` cancels the download. Throws MEDIA_REFUSED, MEDIA_UNAVAILABLE. The reasons of these errors contain no
   * address.
   */
  fetch(url: string, options?: FetchOptions): Promise<{ data: Buffer; mime: string }>
}

interface FetchOptions {
  readonly proxy?: string | undefined
  readonly signal?: AbortSignal | EventEmitter | undefined
  /** Maximum time for each host to accept the connection and send its headers. The default is 30 seconds. */
  readonly firstByteMs?: number
}

type SendOptions = Pick<DownloadOptions, 'proxy' | 'signal' | 'firstByteMs'>

/** A download service of the operator. It gets the URL and downloads the file from its own network. */
interface Worker {
  readonly url: string
  readonly key: string
}

export interface GuardedOptions {
  readonly allowHosts: readonly AllowedHost[]
  readonly bytesMax: number
  /**
   * Returns the worker, or undefined if the gateway downloads files itself. Called for each download, so that a change
   * of the options applies at once.
   */
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
  /** Resolves and checks a host. Connections use the returned addresses, so that the host is not resolved again. */
  const addressesOf = (url: URL) => publicAddresses(url, { allowHosts, lookup })

  async function follow(address: string, options: SendOptions): Promise<Downloaded> {
    let url = checkedUrl(address)
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
      const addresses = await addressesOf(url)
      const response = await download(url, { ...options, addresses, bytesMax })
      if (response.location === undefined) return response
      url = checkedUrl(response.location, url)
    }
    return unavailable(`it redirects more than ${REDIRECTS_MAX} times`)
  }

  async function throughWorker(address: string, { url, key, ...options }: Worker & SendOptions): Promise<Downloaded> {
    const target = checkedUrl(address)
    if (target.protocol !== 'https:') refuse('the download service accepts only https')
    await addressesOf(target)
    const response = await download(new URL(url), {
      ...options,
      bytesMax,
      post: { headers: WORKER_HEADERS, body: JSON.stringify({ url: target.href, key }) },
    })
    return response.location === undefined ? response : unavailable('the download service redirects')
  }

  return {
    async fetch(address, { proxy: setting, signal, ...limits } = {}) {
      const proxy = setting ? parseProxy(setting) : undefined
      // Without the channel's proxy, the download would use a route that the operator did not choose.
      if (setting && !proxy) return unavailable("the channel's proxy is not set up")
      const ending = createEnding(signal, timeoutMs)
      try {
        const helper = worker()
        const options = { ...limits, proxy, signal: ending.signal }
        const response = await ending.orEnd(
          helper ? throughWorker(address, { ...helper, ...options }) : follow(address, options),
        )
        if (response.data.length === 0) return unavailable('it is empty')
        return { data: response.data, mime: mediaType(response.data, response.declared) }
      } catch (error) {
        if (error instanceof GatewayError) throw error
        return unavailable(ending.timedOut() ? 'it took too long' : 'its host does not answer', error)
      } finally {
        ending.stop()
      }
    },
  }
}

/**
 * Throws MEDIA_REFUSED for a URL that cannot be a file on the web. The URL parser has already normalized all notations
 * of IP addresses.
 */
function checkedUrl(address: string, base?: URL): URL {
  if (!URL.canParse(address, base?.href)) return refuse('it is not an address')
  const url = new URL(address, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refuse('only http and https are downloaded')
  if (url.username || url.password) return refuse('it has a user name or a password in it')
  url.hash = ''
  return url
}

/**
 * Returns a signal that aborts with `outer` or at the timeout. `orEnd` rejects as soon as the signal aborts, also if
 * the work ignores the signal.
 */
function createEnding(outer: AbortSignal | EventEmitter | undefined, timeoutMs: number) {
  const controller = new AbortController()
  let isLate = false
  const abort = () => controller.abort()
  const timer = setTimeout(() => {
    isLate = true
    abort()
  }, timeoutMs)
  if (outer && 'addEventListener' in outer) {
    if (outer.aborted) abort()
    outer.addEventListener('abort', abort)
  } else outer?.on('abort', abort)
  return {
    signal: controller.signal,
    timedOut: () => isLate,
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
