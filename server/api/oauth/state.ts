import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { GatewayError } from '../../../core/errors.ts'
import { randomAlphanumerics, sameSecret } from '../../../core/secrets.ts'
import type { SessionData } from '../../../core/sessions.ts'
import type { Toolkit } from '../../../core/toolkit.ts'
import { SESSION_COOKIE, sessionUser } from '../access.ts'
import { requireUserPresent } from '../current-password.ts'
import { Envelope, ok } from '../envelope.ts'
import type { ApiParts } from '../parts.ts'
import { describeRoutes } from '../route.ts'
import { setSessionCookie } from '../session-cookie.ts'

const STATE_LENGTH = 12
/** Query field with the invite code, which is used if the sign-in registers a new user. */
export const InvitationQuery = Type.Object({ aff: Type.Optional(Type.String({ maxLength: 64 })) })

/** Creates the state of a sign-in. Clients call this before they build the provider's sign-in URL. */
export const stateRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit }) => {
  const anyone = describeRoutes('sign-in', 'anyone')
  const schema = anyone('Starts a sign-in by a provider; data is the `state` for the sign-in URL of the provider', {
    querystring: InvitationQuery,
    reply: Envelope(Type.String()),
    config: { critical: true, acts: true },
  })
  app.get('/api/oauth/state', schema, async (request, reply) =>
    ok(await beginSignIn(toolkit, request, reply, { aff: request.query.aff })),
  )
}

/**
 * Stores the start of a sign-in in the browser's session, and returns the state. Creates the session if it is missing.
 * If a user is signed in, the sign-in will bind the provider's account to this user. So if this user did not sign in
 * recently, throws CURRENT_PASSWORD_NEEDED.
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

/** Removes and returns the stored data of a sign-in, so that a state is valid only once. Throws OAUTH_STATE. */
export async function takeSignIn(
  { sessions }: Pick<Toolkit, 'sessions'>,
  request: FastifyRequest,
  state: string,
): Promise<Pick<SessionData, 'oidc'>> {
  const id = request.cookies[SESSION_COOKIE]
  if (id === undefined || state === '') throw new GatewayError('OAUTH_STATE')
  const { oauth_state, ...signInData } = await sessions.take(id, ['oauth_state', 'oidc'])
  if (!oauth_state || !sameSecret(oauth_state, state)) throw new GatewayError('OAUTH_STATE')
  return signInData
}
