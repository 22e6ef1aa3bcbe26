import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { GatewayError } from '../../../core/errors.ts'
import { randomAlphanumerics, sameSecret } from '../../../core/secrets.ts'
import type { SessionData } from '../../../core/sessions/sessions.ts'
import type { Toolkit } from '../../../core/toolkit.ts'
import { SESSION_COOKIE, sessionUser } from '../access.ts'
import { requireUserPresent } from '../current-password.ts'
import { Envelope, ok } from '../envelope.ts'
import type { ApiParts } from '../parts.ts'
import { setSessionCookie } from '../session-cookie.ts'

const STATE_LENGTH = 12
/** An invite code to register with. */
export const Invitation = Type.Object({ aff: Type.Optional(Type.String({ maxLength: 64 })) })

/** A value that a provider must send back, for clients that build the address of its sign-in page themselves. */
export const stateRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit }) => {
  const schema = {
    tags: ['sign-in'],
    summary: 'Begin a sign-in elsewhere: data is the state to send along',
    querystring: Invitation,
    response: { 200: Envelope(Type.String()) },
  }
  const config = { access: 'anyone', critical: true, acts: true } as const
  app.get('/api/oauth/state', { config, schema }, async (request, reply) =>
    ok(await beginSignIn(toolkit, request, reply, { aff: request.query.aff })),
  )
}

/**
 * Remembers in the browser's session, which a visitor gets for it, that a sign-in began here. Answers the state. Throws
 * CURRENT_PASSWORD_NEEDED to a user who is signed in: an account would be bound, and could sign in from then on.
 */
export async function beginSignIn(
  toolkit: Pick<Toolkit, 'sessions' | 'accounts'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { aff, oidc }: { aff?: string | undefined; oidc?: SessionData['oidc'] },
): Promise<string> {
  if (await sessionUser(toolkit, request)) await requireUserPresent(toolkit, request)
  const oauth_state = randomAlphanumerics(STATE_LENGTH)
  const data: SessionData = { oauth_state, ...(aff && { aff }), ...(oidc && { oidc }) }
  setSessionCookie(request, reply, await toolkit.sessions.remember(request.cookies[SESSION_COOKIE], data))
  return oauth_state
}

/** What was remembered when this browser began the sign-in; a state is good for one try. Throws OAUTH_STATE. */
export async function takeSignIn(
  { sessions }: Pick<Toolkit, 'sessions'>,
  request: FastifyRequest,
  state: string,
): Promise<Pick<SessionData, 'oidc'>> {
  const id = request.cookies[SESSION_COOKIE]
  if (id === undefined || state === '') throw new GatewayError('OAUTH_STATE')
  const { oauth_state, ...began } = await sessions.take(id, ['oauth_state', 'oidc'])
  if (!oauth_state || !sameSecret(oauth_state, state)) throw new GatewayError('OAUTH_STATE')
  return began
}
