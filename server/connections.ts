import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIPv6, type LookupFunction, type Socket } from 'node:net'
import { SocksProxyAgent } from 'socks-proxy-agent'
import { buildConnector, Pool } from 'undici'

const CONNECT_TIMEOUT_MS = 10_000
const CONNECTING = { timeout: CONNECT_TIMEOUT_MS }
/** One address of a host, as `dns.lookup` answers it. */
export interface HostAddress {
  readonly address: string
  readonly family: number
}

/** Decides for each connection what may be connected to. */
export interface ConnectionGuard {
  /** For the check and the connection together. */
  readonly timeoutMs: number
  /** Where to connect for a target; its proxy is checked, too. Throws for what may not be asked. */
  check(target: URL, proxy: URL | undefined): Promise<readonly HostAddress[]>
}

/**
 * Connections to one origin, through a proxy if one is given. `addresses`: what the origin's host was resolved to; then
 * nobody resolves it again, neither we nor the proxy.
 */
export function openConnections(
  origin: string,
  {
    proxy,
    addresses,
    guard,
    ...options
  }: Omit<Pool.Options, 'connect'> & {
    proxy?: URL
    addresses?: readonly HostAddress[]
    guard?: ConnectionGuard | undefined
  },
): Pool {
  const connect = guard ? guardedConnector(new URL(origin), { guard, proxy }) : connectorTo(addresses, proxy)
  return new Pool(origin, { ...options, connect })
}

function connectorTo(addresses: readonly HostAddress[] | undefined, proxy: URL | undefined): buildConnector.connector {
  if (proxy) return tunnelConnector(proxy, reachable(addresses)?.address)
  return buildConnector(addresses ? { ...CONNECTING, lookup: pinned(addresses) } : CONNECTING)
}

/** Connects to the addresses that were checked, and to no others. A late connection is closed. */
function guardedConnector(
  target: URL,
  { guard, proxy }: { guard: ConnectionGuard; proxy: URL | undefined },
): buildConnector.connector {
  return (options, callback) => {
    let isOver = false
    const end: buildConnector.Callback = (...result) => {
      if (isOver) return void result[1]?.destroy()
      isOver = true
      clearTimeout(timer)
      callback(...result)
    }
    const timer = setTimeout(() => end(new Error('The connection took too long'), null), guard.timeoutMs)
    guard.check(target, proxy).then(
      (addresses) => connectorTo(addresses, proxy)(options, end),
      (error: Error) => end(error, null),
    )
  }
}

/** Resolves a websocket's host to the addresses that were checked. Throws what the check throws. */
export async function guardedLookup(
  target: URL,
  guard: ConnectionGuard,
  proxy: URL | undefined,
): Promise<LookupFunction> {
  return pinned(await guard.check(target, proxy))
}

/** A proxy is told one address; every network has the older kind. */
function reachable(addresses: readonly HostAddress[] = []): HostAddress | undefined {
  return addresses.find(({ family }) => family === 4) ?? addresses[0]
}

/** Answers what was resolved before. An address alone, as an old caller may want it, is the first. */
function pinned(addresses: readonly HostAddress[]): LookupFunction {
  return (_, { all }, callback) => {
    if (all) callback(null, [...addresses])
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
  }
}

function tunnelConnector(proxy: URL, address: string | undefined): buildConnector.connector {
  const secured = buildConnector(CONNECTING)
  return async (options, callback) => {
    const secure = options.protocol === 'https:'
    const target = { host: address ?? options.hostname, port: Number(options.port) || (secure ? 443 : 80) }
    let socket: Socket
    try {
      socket = await inTime(openTunnel(proxy, target))
    } catch (error) {
      const failed = error as Error & { code?: string }
      // Whoever asked must be able to tell it from an upstream that broke off.
      failed.code ??= 'ERR_TUNNEL'
      return callback(failed, null)
    }
    if (secure) secured({ ...options, httpSocket: socket }, callback)
    else callback(null, socket)
  }
}

interface Target {
  readonly host: string
  readonly port: number
}

function openTunnel(proxy: URL, target: Target): Promise<Socket> {
  return proxy.protocol.startsWith('socks') ? openSocks(proxy, target) : openConnect(proxy, target)
}

/** A tunnel as HTTP proxies make it. https://www.rfc-editor.org/rfc/rfc9110#name-connect */
function openConnect(proxy: URL, { host, port }: Target): Promise<Socket> {
  const authority = `${isIPv6(host) ? `[${host}]` : host}:${port}`
  return new Promise((resolve, reject) => {
    const send = proxy.protocol === 'https:' ? httpsRequest : httpRequest
    const request = send({
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port,
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...proxyCredential(proxy) },
      agent: false,
      timeout: CONNECT_TIMEOUT_MS,
    })
    request.once('connect', ({ statusCode = 0 }, socket: Socket, head: Buffer) => {
      socket.setTimeout(0)
      if (head.length) socket.unshift(head)
      if (statusCode >= 200 && statusCode < 300) return resolve(socket)
      socket.destroy()
      reject(new Error(`The proxy answered CONNECT with status ${statusCode}`))
    })
    request.once('timeout', () => request.destroy(new Error('The proxy did not answer')))
    request.once('error', reject)
    request.end()
  })
}

function proxyCredential({ username, password }: URL): Record<string, string> {
  if (!username && !password) return {}
  const credential = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(credential).toString('base64')}` }
}

/** A tunnel of SOCKS version 5, host names resolved by the proxy. https://www.rfc-editor.org/rfc/rfc1928 */
function openSocks(proxy: URL, target: Target): Promise<Socket> {
  const agent = new SocksProxyAgent(socksUrl(proxy))
  // The first argument is what the agent ends when a socket that it has put a timeout on grows old; none of ours has one.
  return agent.connect(undefined as never, { ...target, secureEndpoint: false } as never)
}

/** A SOCKS proxy in the words of its library, where only `socks5h` leaves names to the proxy. */
export function socksUrl(proxy: URL): string {
  return proxy.href.replace(/^socks5:/, 'socks5h:')
}

/** A connection that comes too late is closed, since nobody waits for it. */
function inTime(opening: Promise<Socket>): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error('The proxy did not answer'))
      opening.then(
        (socket) => socket.destroy(),
        () => undefined,
      )
    }, CONNECT_TIMEOUT_MS)
    opening.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
