import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { Options } from '../../core/options/options.ts'
import { OPTIONS } from '../../core/options/registry.ts'
import { isAddressAllowed } from '../../core/tokens/addresses.ts'
import type { JoinedExchange } from './exchange.ts'
import { EXPOSITION_TYPE, expose } from './exposition.ts'

const LOOPBACK = ['127.0.0.0/8', '::1']
/**
 * Headers that proxies add. Behind a proxy that is not trusted, all clients seem to have the proxy's address, so the
 * address proves nothing.
 */
const PROXY_HEADERS = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via']

/**
 * Serves Prometheus metrics to the addresses in the option MetricsAllow (default: this machine), and to clients that
 * send the token in the option MetricsToken. Others get 404, as for an unknown path.
 */
export const metricsRoutes: FastifyPluginAsync<{
  exchange: JoinedExchange
  options: Options
  /** Whether client addresses are read from proxy headers. */
  trustsProxy: boolean
}> = async (app, { exchange, options, trustsProxy }) => {
  const schema = { hide: true }
  app.get('/metrics', { schema, logLevel: 'warn' }, async (request, reply) => {
    if (!mayRead(request, options, trustsProxy)) return reply.callNotFound()
    const text = await expose(await exchange.gather())
    return reply.header('content-type', EXPOSITION_TYPE).header('cache-control', 'no-store').send(text)
  })
}

function mayRead(request: FastifyRequest, options: Options, trustsProxy: boolean): boolean {
  const token = options.get(OPTIONS.MetricsToken)
  const [scheme = '', credential = ''] = (request.headers.authorization ?? '').split(' ')
  if (token !== '' && scheme.toLowerCase() === 'bearer' && isSame(credential, token)) return true
  if (!trustsProxy && PROXY_HEADERS.some((name) => name in request.headers)) return false
  const allowed = options.get(OPTIONS.MetricsAllow)
  return isAddressAllowed(allowed.length > 0 ? allowed : LOOPBACK, request.ip)
}

/** Compares two texts in constant time. */
function isSame(credential: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(credential), digest(token))
}
