import { isIPv4 } from 'node:net'
import fastifyRateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Config, RateClass } from '../../core/config.ts'
import { GatewayError } from '../../core/errors.ts'

export type Limiter = (request: FastifyRequest) => Promise<void>

/**
 * Counts requests of an address, one count for each class, in this process; whoever is over gets RATE_LIMITED. The
 * limiters must be made once and shared, or each would count for itself.
 */
export async function createLimiters(
  app: FastifyInstance,
  limits: Config['rateLimits'],
): Promise<Record<RateClass, Limiter>> {
  await app.register(fastifyRateLimit, { global: false })
  const limiter = (name: RateClass): Limiter => {
    const limit = limits[name]
    if (!limit) return async () => {}
    const { max, seconds } = limit
    const check = app.createRateLimit({ max, timeWindow: seconds * 1000, keyGenerator: ({ ip }) => addressKey(ip) })
    return async (request) => {
      const state = await check(request)
      if (!state.isAllowed && state.isExceeded) {
        throw new GatewayError('RATE_LIMITED', { retryAfterSeconds: state.ttlInSeconds })
      }
    }
  }
  return { api: limiter('api'), web: limiter('web'), critical: limiter('critical') }
}

const IPV6_PREFIX_BYTES = 8
/** What a believed proxy passes on can be any text: all of it counts as one, or every text would have a count of its own. */
const NO_ADDRESS = 'no address'

/** One host has one IPv4 address, but a whole /64 of IPv6. */
function addressKey(ip: string): string {
  if (isIPv4(ip)) return ip
  if (!ipaddr.IPv6.isValid(ip)) return NO_ADDRESS
  const address = ipaddr.IPv6.parse(ip)
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString()
  return Buffer.from(address.toByteArray().slice(0, IPV6_PREFIX_BYTES)).toString('hex')
}
