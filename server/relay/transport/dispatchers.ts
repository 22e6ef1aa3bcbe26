import type { Agent } from 'node:http'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { SocksProxyAgent } from 'socks-proxy-agent'
import type { Dispatcher } from 'undici'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import { proxyOf } from '../../../core/channels/settings/proxy.ts'
import { type ConnectionGuard, openConnections, socksUrl } from '../../connections.ts'

const KEEP_ALIVE_MS = 30_000
/** Interval in ms between checks. A dispatcher that was unused for a whole interval is closed. */
const ROUND_MS = 5 * 60_000
/**
 * Maximum number of dispatchers, one for each pair of origin and proxy. At the maximum, a new dispatcher replaces an
 * unused one, or the oldest if all were used recently.
 */
const DISPATCHERS_MAX = 1000

type ProxiedChannel = Pick<LiveChannel, 'id' | 'settings'>

interface OpenDispatcher {
  readonly dispatcher: Dispatcher
  used: boolean
}

/** The relay's connections to each origin, directly or through the proxy of a channel. */
export function createDispatchers({
  idleTimeoutMs,
  roundMs = ROUND_MS,
  dispatchersMax = DISPATCHERS_MAX,
  guard,
}: {
  /** Maximum time in ms between two bytes of a body. */
  idleTimeoutMs: number
  roundMs?: number
  dispatchersMax?: number
  guard?: ConnectionGuard | undefined
}) {
  const dispatchers = new Map<string, OpenDispatcher>()
  /** Retired dispatchers, which close after their last request. */
  const closing = new Set<Dispatcher>()

  function retire(key: string, { dispatcher }: OpenDispatcher): void {
    dispatchers.delete(key)
    closing.add(dispatcher)
    const onClosed = () => closing.delete(dispatcher)
    // `close` rejects if the dispatcher was destroyed meanwhile.
    dispatcher.close().then(onClosed, onClosed)
  }

  const checkTimer = setInterval(() => {
    for (const [key, entry] of dispatchers) {
      if (entry.used) entry.used = false
      else retire(key, entry)
    }
  }, roundMs)
  checkTimer.unref()

  function open(key: string, origin: string, proxy: URL | undefined): OpenDispatcher {
    if (dispatchers.size >= dispatchersMax) {
      const [oldest, ...younger] = dispatchers
      const entryToRetire = younger.find(([, { used }]) => !used) ?? oldest
      if (entryToRetire) retire(...entryToRetire)
    }
    const dispatcher = openConnections(origin, {
      // Without a limit, no request waits for a stream to release its connection.
      connections: null,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS * 4,
      bodyTimeout: idleTimeoutMs,
      guard,
      ...(proxy && { proxy }),
    })
    const entry = { dispatcher, used: true }
    dispatchers.set(key, entry)
    return entry
  }

  return {
    /** Returns the connections to an origin. Throws CHANNEL_MISCONFIGURED for an unusable proxy. */
    dispatcher(origin: string, channel: ProxiedChannel): Dispatcher {
      const { proxy } = channel.settings
      // A space is a safe separator, because URLs contain none.
      const key = proxy ? `${proxy} ${origin}` : origin
      const entry = dispatchers.get(key) ?? open(key, origin, proxyOf(channel))
      entry.used = true
      return entry.dispatcher
    },
    /** Returns the agent for a websocket, or undefined for a direct connection. Throws CHANNEL_MISCONFIGURED. */
    agent(channel: ProxiedChannel): Agent | undefined {
      const proxy = proxyOf(channel)
      if (!proxy) return undefined
      return proxy.protocol.startsWith('socks') ? new SocksProxyAgent(socksUrl(proxy)) : new HttpsProxyAgent(proxy)
    },
    /** Ends all exchanges at once. */
    async close(): Promise<void> {
      clearInterval(checkTimer)
      const dispatchersToClose = [...closing, ...[...dispatchers.values()].map(({ dispatcher }) => dispatcher)]
      dispatchers.clear()
      await Promise.all(dispatchersToClose.map((dispatcher) => dispatcher.destroy()))
    },
  }
}
