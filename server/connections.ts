import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIPv6, type LookupFunction, type Socket } from 'node:net'
import { SocksProxyAgent } from 'socks-proxy-agent'
import { buildConnector, Pool } from 'undici'

const CONNECT_TIMEOUT_MS = 10_000
const CONNECT_OPTIONS = { timeout: CONNECT_TIMEOUT_MS }

/** One address of a host, as returned by `dns.lookup`. */
export interface HostAddress {
  readonly address: string
  readonly family: number
}

/** Checks the target before each connection. A guard can reject private addresses, for example. */
export interface ConnectionGuard {
  /** Maximum time for the check and the connection attempt together. */
  readonly timeoutMs: number
  /** Resolves the target and returns its allowed addresses. Throws if the target or the proxy is not allowed. */
  check(target: URL, proxy: URL | undefined): Promise<readonly HostAddress[]>
}

/**
 * Opens connections to one origin, optionally through a proxy. If the resolved `addresses` of the origin's host are
 * given, neither the gateway nor the proxy resolves the host again.
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
  if (proxy) return tunnelConnector(proxy, preferredAddress(addresses)?.address)
  return buildConnector(addresses ? { ...CONNECT_OPTIONS, lookup: fixedLookup(addresses) } : CONNECT_OPTIONS)
}

/**
 * Returns a connector that uses only the addresses that `guard` allows. The connector closes connections that open
 * after the timeout.
 */
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

/** Returns a lookup function for a websocket, with the addresses that `guard` allows. Throws like `guard.check`. */
export async function guardedLookup(
  target: URL,
  guard: ConnectionGuard,
  proxy: URL | undefined,
): Promise<LookupFunction> {
  return fixedLookup(await guard.check(target, proxy))
}

/** Returns the address to send to a proxy. Prefers IPv4, because every network supports it. */
function preferredAddress(addresses: readonly HostAddress[] = []): HostAddress | undefined {
  return addresses.find(({ family }) => family === 4) ?? addresses[0]
}

/** Returns a lookup function with fixed addresses. Without the option `all`, it returns only the first address. */
function fixedLookup(addresses: readonly HostAddress[]): LookupFunction {
  return (_, { all }, callback) => {
    if (all) callback(null, [...addresses])
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
  }
}

function tunnelConnector(proxy: URL, address: string | undefined): buildConnector.connector {
  const connectTls = buildConnector(CONNECT_OPTIONS)
  return async (options, callback) => {
    const secure = options.protocol === 'https:'
    const target = { host: address ?? options.hostname, port: Number(options.port) || (secure ? 443 : 80) }
    let socket: Socket
    try {
      socket = await withTimeout(openTunnel(proxy, target))
    } catch (error) {
      const failure = error as Error & { code?: string }
      // The code distinguishes a proxy failure from a connection that the upstream closed.
      failure.code ??= 'ERR_TUNNEL'
      return callback(failure, null)
    }
    if (secure) connectTls({ ...options, httpSocket: socket }, callback)
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

/** Opens a tunnel through an HTTP proxy. https://www.rfc-editor.org/rfc/rfc9110#name-connect */
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

/** Opens a SOCKS 5 tunnel. The proxy resolves host names. https://www.rfc-editor.org/rfc/rfc1928 */
function openSocks(proxy: URL, target: Target): Promise<Socket> {
  const agent = new SocksProxyAgent(socksUrl(proxy))
  // The agent reads its first argument only for sockets with a timeout, and these sockets have none.
  return agent.connect(undefined as never, { ...target, secureEndpoint: false } as never)
}

/** Returns the URL of a SOCKS proxy for the library. With `socks5h`, the proxy resolves host names. */
export function socksUrl(proxy: URL): string {
  return proxy.href.replace(/^socks5:/, 'socks5h:')
}

/** Returns the socket of a tunnel. Throws after the timeout, and closes a socket that opens later. */
function withTimeout(opening: Promise<Socket>): Promise<Socket> {
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
