import type { FastifyReply, FastifyRequest } from 'fastify'
import { SESSION_SECONDS } from '../../core/sessions/sessions.ts'
import { SESSION_COOKIE } from './access.ts'

/** Gives the browser a session: no script reads it, and no other site's page makes use of it. */
export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, id: string): void {
  reply.setCookie(SESSION_COOKIE, id, { ...attributes(request), maxAge: SESSION_SECONDS })
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(SESSION_COOKIE, attributes(request))
}

function attributes({ protocol }: FastifyRequest) {
  return { path: '/', httpOnly: true, sameSite: 'strict', secure: protocol === 'https' } as const
}
