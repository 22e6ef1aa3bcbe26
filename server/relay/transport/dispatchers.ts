import type { Agent } from 'node:http'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { SocksProxyAgent } from 'socks-proxy-agent'
import type { Dispatcher } from 'undici'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import { proxyOf } from '../../../core/channels/settings/proxy.ts'
import { type ConnectionGuard, openConnections, socksUrl } from '../../connections.ts'

const KEEP_ALIVE_MS = 30_000
/** Interval between checks; a dispatcher that is unused for a whole interval is closed. */
const ROUND_MS = 5 * 60_000
/** Maximum number of origins times proxies. A gateway that uses more reopens some of them. */
const DISPATCHERS_MAX = 1000

type Routed = Pick<LiveChannel, 'id' | 'settings'>

/** Connections of the relay per origin, through the proxy of a channel. */
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
  /** Retired dispatchers, which close after their running requests. */
  const closing = new Set<Dispatcher>()

  function retire(key: string, { dispatcher }: Entry): void {
    entries.delete(key)
    closing.add(dispatcher)
    const over = () => closing.delete(dispatcher)
    // `close` rejects if the dispatcher was destroyed meanwhile.
    dispatcher.close().then(over, over)
  }

  const rounds = setInterval(() => {
    for (const [key, entry] of entries) {
      if (entry.used) entry.used = false
      else retire(key, entry)
    }
  }, roundMs)
  rounds.unref()

  function open(key: string, origin: string, proxy: URL | undefined): Entry {
    if (entries.size >= dispatchersMax) {
      const [oldest, ...younger] = entries
      const leaving = younger.find(([, { used }]) => !used) ?? oldest
      if (leaving) retire(...leaving)
    }
    const dispatcher = openConnections(origin, {
      // No limit: a stream that waits for another's connection would stall.
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
      // Neither contains a space.
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
      clearInterval(rounds)
      const all = [...closing, ...[...entries.values()].map(({ dispatcher }) => dispatcher)]
      entries.clear()
      await Promise.all(all.map((dispatcher) => dispatcher.destroy()))
    },
  }
}
