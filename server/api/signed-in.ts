import type { FastifyRequest } from 'fastify'
import { type Actor, ROLE, requireRole, USER_STATUS } from '../../core/actor.ts'
import { GatewayError } from '../../core/errors.ts'
import type { Toolkit } from '../../core/toolkit.ts'

export const SESSION_COOKIE = 'session'
/** The header that repeats the user id; the second name is what existing clients send. */
const USER_HEADERS = ['tollgate-user', 'new-api-user']

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in; set by the permission that each route declares. */
    actor: Actor
  }
}

/** A permission of a route: checks the session, the user header, the status and the role, in the documented order. */
export function signedIn({ sessions }: Toolkit, role: number = ROLE.common) {
  return async (request: FastifyRequest): Promise<void> => {
    const id = request.cookies[SESSION_COOKIE]
    const user = id === undefined ? undefined : await sessions.find(id)
    if (!user) throw new GatewayError(request.headers.authorization ? 'ACCESS_TOKEN_INVALID' : 'NOT_SIGNED_IN')
    const header = USER_HEADERS.map((name) => request.headers[name]).find(
      (value) => value !== undefined && value !== '',
    )
    if (typeof header !== 'string') throw new GatewayError('USER_HEADER_MISSING')
    if (!/^-?\d+$/.test(header)) throw new GatewayError('USER_HEADER_MALFORMED')
    if (Number(header) !== user.id) throw new GatewayError('USER_HEADER_MISMATCH')
    if (user.status !== USER_STATUS.enabled) throw new GatewayError('USER_DISABLED')
    requireRole(user, role)
    request.actor = { id: user.id, role: user.role }
  }
}
