import { isIPv4 } from 'node:net'
import fastifyRateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Config, RateClass } from '../../core/config.ts'
import { GatewayError } from '../../core/errors.ts'

export type RequestLimiter = (request: FastifyRequest) => Promise<void>

/** Rate limiters for authenticated callers of the management API, and for checks of credentials. */
export interface CallerLimiters {
  /** Counts calls of an authenticated caller under `countKey`. The maximum is the same as for an address. */
  callsOfCaller: (request: FastifyRequest, countKey: string) => Promise<void>
  /**
   * Counts reads by all sessions of a user under `countKey`. The maximum is SESSION_READ_FACTOR times that of an
   * address.
   */
  sessionReads: (request: FastifyRequest, countKey: string) => Promise<void>
  /**
   * Counts the credential checks of an address that has exceeded its limit. Calls with a valid credential are still
   * served. This limit keeps an address from guessing credentials.
   */
  credentialChecks: RequestLimiter
}

/**
 * Creates the rate limiters, which throw RATE_LIMITED. Each class counts separately, by address, and only in this
 * process. Create the limiters only once, because a second set would count from zero.
 */
export async function createLimiters(
  app: FastifyInstance,
  limits: Config['rateLimits'],
): Promise<Record<RateClass, RequestLimiter> & { caller: CallerLimiters }> {
  await app.register(fastifyRateLimit, { global: false })
  const limiter = (name: RateClass): RequestLimiter => {
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
    caller: callerLimiters(app, limits.api),
  }
}

function callerLimiters(app: FastifyInstance, limit: Config['rateLimits']['api']): CallerLimiters {
  if (!limit) return { callsOfCaller: async () => {}, sessionReads: async () => {}, credentialChecks: async () => {} }
  const window = { max: limit.max, timeWindow: limit.seconds * 1000 }
  const countKeys = new WeakMap<FastifyRequest, string>()
  const keyGenerator = (request: FastifyRequest) => countKeys.get(request) ?? ''
  const byCaller = app.createRateLimit({ ...window, keyGenerator })
  const byReader = app.createRateLimit({ ...window, max: limit.max * SESSION_READ_FACTOR, keyGenerator })
  const byAddress = app.createRateLimit({ ...window, keyGenerator: ({ ip }) => `proof ${addressKey(ip)}` })
  return {
    async callsOfCaller(request, countKey) {
      countKeys.set(request, countKey)
      rejectExceeded(await byCaller(request))
    },
    async sessionReads(request, countKey) {
      countKeys.set(request, countKey)
      rejectExceeded(await byReader(request))
    },
    credentialChecks: async (request) => rejectExceeded(await byAddress(request)),
  }
}

function rejectExceeded(state: Awaited<ReturnType<ReturnType<FastifyInstance['createRateLimit']>>>): void {
  if (!state.isAllowed && state.isExceeded)
    throw new GatewayError('RATE_LIMITED', { retryAfterSeconds: state.ttlInSeconds })
}

/**
 * Maximum of session reads, as a multiple of the maximum of an address. One page of the console makes up to ten reads,
 * and a user may have several tabs open.
 */
const SESSION_READ_FACTOR = 8

const IPV6_HOST_BYTES = 8
const IPV6_SITE_BYTES = 6
/** Maximum of an IPv6 site (/48), as a multiple of the maximum of one of its networks (/64). */
const SITE_FACTOR = 4
/** The key of all clients without a valid IP address. A trusted proxy can report any text as an address. */
const NO_ADDRESS = 'no address'

/**
 * Returns the keys under which a client's calls are counted, and the limits of these keys. The first key is the
 * address. An IPv6 address also has a key for its site.
 */
export function countKeysOf(ip: string, max: number): { key: string; max: number }[] {
  const site = siteKey(ip)
  return [{ key: addressKey(ip), max }, ...(site === undefined ? [] : [{ key: site, max: max * SITE_FACTOR }])]
}

/**
 * Returns the key of a client's address. For IPv6, the key is the /64 network, because one host can use all addresses
 * of its network.
 */
export function addressKey(ip: string): string {
  if (isIPv4(ip)) return ip
  if (!ipaddr.IPv6.isValid(ip)) return NO_ADDRESS
  const address = ipaddr.IPv6.parse(ip)
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString()
  return Buffer.from(address.toByteArray().slice(0, IPV6_HOST_BYTES)).toString('hex')
}

/** Returns the /48 of an IPv6 address, which is often assigned to one customer, or undefined for other addresses. */
function siteKey(ip: string): string | undefined {
  if (!ipaddr.IPv6.isValid(ip)) return undefined
  const address = ipaddr.IPv6.parse(ip)
  if (address.isIPv4MappedAddress()) return undefined
  return Buffer.from(address.toByteArray().slice(0, IPV6_SITE_BYTES)).toString('hex')
}
