import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { ROLE, USER_STATUS } from '../../core/actor.ts'
import type { Toolkit } from '../../core/toolkit.ts'
import { bearerUser, SESSION_COOKIE, sessionUser } from './access.ts'

const CACHED_MS = 600_000
const CACHED_MAX = 10_000

/** The verified holder of a session, access token or management key. */
export interface CachedCaller {
  digest: string
  userId: number
  isAdmin: boolean
  /** Whether the credential is a session cookie. */
  isSession: boolean
}

/** Cache of recently verified credentials. */
export function createKnownCredentials(
  toolkit: Pick<Toolkit, 'sessions' | 'accessTokens' | 'managementKeys'>,
  now: () => number = performance.now.bind(performance),
) {
  /** Cached callers by digest of the credential, in the order in which they expire. */
  const callers = new Map<string, CachedCaller & { until: number }>()

  function cacheCaller(
    { digest, isSession }: Pick<CachedCaller, 'digest' | 'isSession'>,
    { id, role }: { id: number; role: number },
  ): CachedCaller {
    const caller = { digest, userId: id, isAdmin: role >= ROLE.admin, isSession, until: now() + CACHED_MS }
    callers.delete(digest)
    callers.set(digest, caller)
    const [oldest] = callers.keys()
    if (callers.size > CACHED_MAX && oldest !== undefined) callers.delete(oldest)
    return caller
  }

  return {
    /** Caches the credential of an authenticated request. */
    remember(request: FastifyRequest): void {
      const credential = credentialOf(request)
      if (credential) cacheCaller(credential, request.actor)
    },
    /** Returns the holder of a cached credential, or undefined. Does not query the database. */
    findCached(request: FastifyRequest): CachedCaller | undefined {
      if (callers.size === 0) return undefined
      const credential = credentialOf(request)
      const caller = credential && callers.get(credential.digest)
      return caller && caller.until > now() ? caller : undefined
    },
    /**
     * Looks up the credential in the database. Caches and returns the holder if the user is enabled. Returns undefined
     * for other credentials.
     */
    async verify(request: FastifyRequest): Promise<CachedCaller | undefined> {
      const credential = credentialOf(request)
      if (!credential) return undefined
      const user = (await sessionUser(toolkit, request)) ?? (await bearerUser(toolkit, request))
      return user?.status === USER_STATUS.enabled ? cacheCaller(credential, user) : undefined
    },
  }
}

/**
 * Returns the digest of the request's credential, or undefined if there is none. As in `identifyActor`, a session takes
 * precedence over other credentials.
 */
function credentialOf({ headers, cookies }: FastifyRequest): Pick<CachedCaller, 'digest' | 'isSession'> | undefined {
  const session = cookies[SESSION_COOKIE]
  const credential = session ?? headers.authorization
  if (!credential) return undefined
  return { digest: createHash('sha256').update(credential).digest('base64'), isSession: session !== undefined }
}
