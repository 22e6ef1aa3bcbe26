import type { FastifyReply, FastifyRequest } from 'fastify'
import { SESSION_SECONDS } from '../../core/sessions.ts'
import type { Toolkit } from '../../core/toolkit.ts'
import { SESSION_COOKIE } from './access.ts'

/** Sets the session cookie. Scripts cannot read it, and browsers do not send it with requests from other sites. */
export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, id: string): void {
  reply.setCookie(SESSION_COOKIE, id, { ...attributes(request), maxAge: SESSION_SECONDS })
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(SESSION_COOKIE, attributes(request))
}

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

function attributes({ protocol }: FastifyRequest) {
  return { path: '/', httpOnly: true, sameSite: 'strict', secure: protocol === 'https' } as const
}
