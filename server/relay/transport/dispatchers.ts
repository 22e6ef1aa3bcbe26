import type { Agent } from 'node:http'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { SocksProxyAgent } from 'socks-proxy-agent'
import type { Dispatcher } from 'undici'
import type { LiveChannel } from '../../../core/channels/directory.ts'
import { proxyOf } from '../../../core/channels/proxy.ts'
import { type ConnectionGuard, openConnections, socksUrl } from '../../connections.ts'

const KEEP_ALIVE_MS = 30_000
/** Between two looks at who is used. What none has asked for between two of them is closed. */
const ROUND_MS = 5 * 60_000
/** Origins times proxies. A gateway with more of them in use opens some of them anew. */
const DISPATCHERS_MAX = 1000

type Routed = Pick<LiveChannel, 'id' | 'settings'>

/** What the relay's requests go over: connections for each origin, through the proxy that a channel names. */
export interface Dispatchers {
  /** Connections to an origin. Throws CHANNEL_MISCONFIGURED for a proxy that cannot be used. */
  dispatcher(origin: string, channel: Routed): Dispatcher
  /** The same way for a websocket; undefined = directly. Throws CHANNEL_MISCONFIGURED. */
  agent(channel: Routed): Agent | undefined
  /** Ends everything at once. */
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
  /** Without a byte for so long, a body is given up. */
  idleTimeoutMs: number
  roundMs?: number
  dispatchersMax?: number
  guard?: ConnectionGuard | undefined
}): Dispatchers {
  const entries = new Map<string, Entry>()
  /** On their way out: they end with the requests that still run on them. */
  const closing = new Set<Dispatcher>()

  function retire(key: string, { dispatcher }: Entry): void {
    entries.delete(key)
    closing.add(dispatcher)
    dispatcher.close().finally(() => closing.delete(dispatcher))
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
      // As many connections as there are streams: one that waits for another is one that stalls.
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
      // A space is in neither of them.
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
