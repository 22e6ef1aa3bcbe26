import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Toolkit } from '../../core/toolkit.ts'
import { SESSION_COOKIE } from './access.ts'
import { setSessionCookie } from './session-cookie.ts'

/**
 * Keeps a browser signed in after its user set a password, which ended all sessions. Throws CREDENTIALS_WRONG if the password has
 * changed again.
 */
export async function renewSession(
  { sessions }: Pick<Toolkit, 'sessions'>,
  request: FastifyRequest,
  reply: FastifyReply,
  passwordHash: string,
): Promise<void> {
  if (request.signedInBy !== 'session') return
  const session = await sessions.rotate(request.cookies[SESSION_COOKIE], request.actor.id, { passwordHash })
  setSessionCookie(request, reply, session)
}
