import { isIPv4 } from 'node:net'
import fastifyRateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Config, RateClass } from '../../core/config.ts'
import { GatewayError } from '../../core/errors.ts'

export type Limiter = (request: FastifyRequest) => Promise<void>

/** The limiters of the management API besides those of addresses. */
export interface AdminLimiters {
  /** Counts calls of one credential of an administrator, as many as of an address. */
  credential: (request: FastifyRequest, digest: string) => Promise<void>
  /** Counts attempts to prove that a caller above the limit of the address is an administrator. */
  proof: Limiter
}

/**
 * Counts requests of an address, one count for each class, in this process; whoever is over gets RATE_LIMITED. The
 * limiters must be made once and shared, or each would count for itself.
 */
export async function createLimiters(
  app: FastifyInstance,
  limits: Config['rateLimits'],
): Promise<Record<RateClass, Limiter> & { admin: AdminLimiters }> {
  await app.register(fastifyRateLimit, { global: false })
  const limiter = (name: RateClass): Limiter => {
    const limit = limits[name]
    if (!limit) return async () => {}
    const { max, seconds } = limit
    const timeWindow = seconds * 1000
    const byAddress = app.createRateLimit({ max, timeWindow, keyGenerator: ({ ip }) => addressKey(ip) })
    const bySite = app.createRateLimit({
      max: max * SITE_FACTOR,
      timeWindow,
      keyGenerator: ({ ip }) => siteKey(ip) ?? NO_ADDRESS,
    })
    return async (request) => {
      for (const check of siteKey(request.ip) === undefined ? [byAddress] : [byAddress, bySite]) {
        rejectExceeded(await check(request))
      }
    }
  }
  return {
    api: limiter('api'),
    web: limiter('web'),
    critical: limiter('critical'),
    admin: adminLimiters(app, limits.api),
  }
}

function adminLimiters(app: FastifyInstance, limit: Config['rateLimits']['api']): AdminLimiters {
  if (!limit) return { credential: async () => {}, proof: async () => {} }
  const window = { max: limit.max, timeWindow: limit.seconds * 1000 }
  const digests = new WeakMap<FastifyRequest, string>()
  const byCredential = app.createRateLimit({ ...window, keyGenerator: (request) => digests.get(request) ?? '' })
  const byAddress = app.createRateLimit({ ...window, keyGenerator: ({ ip }) => `proof ${addressKey(ip)}` })
  return {
    async credential(request, digest) {
      digests.set(request, digest)
      rejectExceeded(await byCredential(request))
    },
    proof: async (request) => rejectExceeded(await byAddress(request)),
  }
}

function rejectExceeded(state: Awaited<ReturnType<ReturnType<FastifyInstance['createRateLimit']>>>): void {
  if (!state.isAllowed && state.isExceeded)
    throw new GatewayError('RATE_LIMITED', { retryAfterSeconds: state.ttlInSeconds })
}

const IPV6_HOST_BYTES = 8
const IPV6_SITE_BYTES = 6
/** A site has 65 536 networks: all of them together may call so often as four of them. */
const SITE_FACTOR = 4
/** What a believed proxy passes on can be any text: all of it counts as one, or every text would have a count of its own. */
const NO_ADDRESS = 'no address'

/** What the calls of a client count for, with the limit of each: its address and, with IPv6, its site. */
export function clientsOf(ip: string, max: number): { key: string; max: number }[] {
  const site = siteKey(ip)
  return [{ key: addressKey(ip), max }, ...(site === undefined ? [] : [{ key: site, max: max * SITE_FACTOR }])]
}

/** What counts as one client. One host has one IPv4 address, but a whole /64 of IPv6. */
export function addressKey(ip: string): string {
  if (isIPv4(ip)) return ip
  if (!ipaddr.IPv6.isValid(ip)) return NO_ADDRESS
  const address = ipaddr.IPv6.parse(ip)
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString()
  return Buffer.from(address.toByteArray().slice(0, IPV6_HOST_BYTES)).toString('hex')
}

/** One customer of a provider often has a whole /48 of IPv6; undefined for other addresses. */
function siteKey(ip: string): string | undefined {
  if (!ipaddr.IPv6.isValid(ip)) return undefined
  const address = ipaddr.IPv6.parse(ip)
  if (address.isIPv4MappedAddress()) return undefined
  return Buffer.from(address.toByteArray().slice(0, IPV6_SITE_BYTES)).toString('hex')
}
