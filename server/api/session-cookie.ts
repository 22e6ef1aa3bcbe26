import type { FastifyReply, FastifyRequest } from 'fastify'
import { SESSION_SECONDS } from '../../core/sessions.ts'
import { SESSION_COOKIE } from './access.ts'

/** Sets the session cookie. Scripts cannot read it, and browsers do not send it with requests from other sites. */
export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, id: string): void {
  reply.setCookie(SESSION_COOKIE, id, { ...attributes(request), maxAge: SESSION_SECONDS })
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(SESSION_COOKIE, attributes(request))
}

function attributes({ protocol }: FastifyRequest) {
  return { path: '/', httpOnly: true, sameSite: 'strict', secure: protocol === 'https' } as const
}
