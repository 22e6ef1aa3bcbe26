import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Toolkit } from '../../core/toolkit.ts'
import { SESSION_COOKIE } from './access.ts'
import { setSessionCookie } from './session-cookie.ts'

/**
 * Creates a new session for the browser after its user has set a password, because the new password ended all sessions.
 * Throws CREDENTIALS_WRONG if the password has changed again.
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
