import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { ROLE, USER_STATUS } from '../../core/actor.ts'
import type { Toolkit } from '../../core/toolkit.ts'
import { bearerUser, SESSION_COOKIE, sessionUser } from './access.ts'

const KNOWN_MS = 600_000
const KNOWN_MAX = 10_000

/** Which sessions, access tokens and management keys were lately proven to be an administrator's. */
export interface AdminCredentials {
  /** A digest of the credential, if it is a known one. Reads no database. */
  known(request: FastifyRequest): string | undefined
  /** Looks the credential up. Whether it is an administrator's; it is known from then on. */
  prove(request: FastifyRequest): Promise<boolean>
  /** Takes note of a credential that was just used by an administrator. */
  remember(request: FastifyRequest): void
}

export function createAdminCredentials(
  toolkit: Pick<Toolkit, 'sessions' | 'accessTokens' | 'managementKeys'>,
  now: () => number = performance.now.bind(performance),
): AdminCredentials {
  /** In the order of their ends. */
  const until = new Map<string, number>()

  function remember(request: FastifyRequest): void {
    const digest = digestOf(request)
    if (digest === undefined) return
    until.delete(digest)
    until.set(digest, now() + KNOWN_MS)
    const [oldest] = until.keys()
    if (until.size > KNOWN_MAX && oldest !== undefined) until.delete(oldest)
  }

  return {
    remember,
    known(request) {
      if (until.size === 0) return undefined
      const digest = digestOf(request)
      return digest !== undefined && (until.get(digest) ?? 0) > now() ? digest : undefined
    },
    async prove(request) {
      if (digestOf(request) === undefined) return false
      const user = (await sessionUser(toolkit, request)) ?? (await bearerUser(toolkit, request))
      const isAdmin = user !== undefined && user.role >= ROLE.admin && user.status === USER_STATUS.enabled
      if (isAdmin) remember(request)
      return isAdmin
    },
  }
}

/** What identifies the caller, as `identify` reads it: the session first. Undefined for a visitor. */
function digestOf({ headers, cookies }: FastifyRequest): string | undefined {
  const credential = cookies[SESSION_COOKIE] ?? headers.authorization
  return credential ? createHash('sha256').update(credential).digest('base64') : undefined
}
