import type { Agent } from 'node:http'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { SocksProxyAgent } from 'socks-proxy-agent'
import type { Dispatcher } from 'undici'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import { proxyOf } from '../../../core/channels/settings/proxy.ts'
import { type ConnectionGuard, openConnections, socksUrl } from '../../connections.ts'

const KEEP_ALIVE_MS = 30_000
/** Interval between checks. A dispatcher that was not used for a whole interval is closed. */
const ROUND_MS = 5 * 60_000
/** Maximum number of pairs of origin and proxy. If a gateway uses more pairs, some connections are closed and reopened. */
const DISPATCHERS_MAX = 1000

type Routed = Pick<LiveChannel, 'id' | 'settings'>

/** The relay's connections to each origin, directly or through the proxy of a channel. */
export interface Dispatchers {
  /** Returns the connections to an origin. Throws CHANNEL_MISCONFIGURED for an unusable proxy. */
  dispatcher(origin: string, channel: Routed): Dispatcher
  /** Returns the agent for a websocket; undefined = a direct connection. Throws CHANNEL_MISCONFIGURED. */
  agent(channel: Routed): Agent | undefined
  /** Ends all exchanges at once. */
  close(): Promise<void>
}

interface Entry {
  readonly dispatcher: Dispatcher
  used: boolean
}

export function createDispatchers({
  idleTimeoutMs,
  roundMs = ROUND_MS,
  dispatchersMax = DISPATCHERS_MAX,
  guard,
}: {
  /** Maximum time between two bytes of a body. */
  idleTimeoutMs: number
  roundMs?: number
  dispatchersMax?: number
  guard?: ConnectionGuard | undefined
}): Dispatchers {
  const entries = new Map<string, Entry>()
  /** Retired dispatchers, which close when their running requests have ended. */
  const closing = new Set<Dispatcher>()

  function retire(key: string, { dispatcher }: Entry): void {
    entries.delete(key)
    closing.add(dispatcher)
    const over = () => closing.delete(dispatcher)
    // `close` rejects if the dispatcher has been destroyed in the meantime.
    dispatcher.close().then(over, over)
  }

  const checkTimer = setInterval(() => {
    for (const [key, entry] of entries) {
      if (entry.used) entry.used = false
      else retire(key, entry)
    }
  }, roundMs)
  checkTimer.unref()

  function open(key: string, origin: string, proxy: URL | undefined): Entry {
    if (entries.size >= dispatchersMax) {
      const [oldest, ...younger] = entries
      const entryToRetire = younger.find(([, { used }]) => !used) ?? oldest
      if (entryToRetire) retire(...entryToRetire)
    }
    const dispatcher = openConnections(origin, {
      // Set no limit, so that no request waits for a stream to release its connection.
      connections: null,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS * 4,
      bodyTimeout: idleTimeoutMs,
      guard,
      ...(proxy && { proxy }),
    })
    const entry = { dispatcher, used: true }
    entries.set(key, entry)
    return entry
  }

  return {
    dispatcher(origin, channel) {
      const { proxy } = channel.settings
      // A space is a safe separator: neither URL contains one.
      const key = proxy ? `${proxy} ${origin}` : origin
      const entry = entries.get(key) ?? open(key, origin, proxyOf(channel))
      entry.used = true
      return entry.dispatcher
    },
    agent(channel) {
      const proxy = proxyOf(channel)
      if (!proxy) return undefined
      return proxy.protocol.startsWith('socks') ? new SocksProxyAgent(socksUrl(proxy)) : new HttpsProxyAgent(proxy)
    },
    async close() {
      clearInterval(checkTimer)
      const all = [...closing, ...[...entries.values()].map(({ dispatcher }) => dispatcher)]
      entries.clear()
      await Promise.all(all.map((dispatcher) => dispatcher.destroy()))
    },
  }
}
