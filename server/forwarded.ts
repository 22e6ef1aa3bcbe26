import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import type { Config } from '../core/config.ts'

/** Reads data about the client from the headers of trusted proxies. */
interface Forwarded {
  addressOf(request: IncomingMessage): string
  /** Returns whether the client's connection to the proxy uses TLS. The gateway itself serves plain HTTP. */
  isTls(request: IncomingMessage): boolean
}

/**
 * Returns a reader for requests that bypass Fastify. It handles `X-Forwarded-For` and `X-Forwarded-Proto` as Fastify
 * does: https://fastify.dev/docs/latest/Reference/Server/#trustproxy
 */
export function readForwarded(trustProxy: Config['trustProxy']): Forwarded {
  if (!trustProxy) return { addressOf: ({ socket }) => socket.remoteAddress ?? '', isTls: () => false }
  const trusts = trustProxy === true ? () => true : proxyAddr.compile(trustProxy)
  return {
    addressOf(request) {
      removeForwardedPorts(request)
      return proxyAddr.all(request, trusts).at(-1) ?? ''
    },
    isTls({ headers, socket }) {
      const protocols = headers['x-forwarded-proto']
      if (protocols === undefined || !trusts(socket.remoteAddress ?? '', 0)) return false
      return String(protocols).split(',').at(-1)?.trim() === 'https'
    },
  }
}

/**
 * Removes the ports from the addresses in X-Forwarded-For. Some proxies, such as Azure's Application Gateway, write
 * `192.0.2.1:443` or `[2001:db8::1]:443`.
 */
export function removeForwardedPorts({ headers }: IncomingMessage): void {
  const addresses = headers['x-forwarded-for']
  if (typeof addresses !== 'string' || !addresses.includes(':')) return
  headers['x-forwarded-for'] = addresses.split(',').map(withoutPort).join(', ')
}

const withoutPort = (address: string): string =>
  address
    .trim()
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
