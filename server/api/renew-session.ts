import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Toolkit } from '../../core/toolkit.ts'
import { SESSION_COOKIE } from './access.ts'
import { setSessionCookie } from './session-cookie.ts'

/**
 * Keeps a browser signed in whose user has just set a password, which ended all sessions, its own among them. Throws
 * CREDENTIALS_WRONG when the password is another again by now.
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
