import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Identity } from '../../../core/accounts/identities.ts'
import { type Provider, providerRow } from '../../../core/accounts/providers.ts'
import type { User } from '../../../core/accounts/schema.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Option } from '../../../core/options/rows.ts'
import type { Toolkit } from '../../../core/toolkit.ts'
import { SESSION_COOKIE } from '../access.ts'
import { ok } from '../envelope.ts'
import { originOf } from '../invite-origin.ts'
import { loginAnswer } from '../login-answer.ts'
import { setSessionCookie } from '../session-cookie.ts'

/** Signs the browser in as the user of an identity, under a new session, and answers as a login does. */
export async function signIn(
  { identities, sessions }: Pick<Toolkit, 'identities' | 'sessions'>,
  request: FastifyRequest,
  reply: FastifyReply,
  identity: Identity,
  invitation: { inviteCode?: string | undefined } = {},
): Promise<{ success: true; message: string; data: User }> {
  const user = await identities.signIn(identity, {
    ...invitation,
    ...(invitation.inviteCode && { origin: originOf(request, reply) }),
  })
  setSessionCookie(request, reply, await sessions.rotate(request.cookies[SESSION_COOKIE], user.id))
  return ok(loginAnswer(user))
}

/** Throws PROVIDER_DISABLED, in the provider's own words. */
export function requireEnabled({ options }: Pick<Toolkit, 'options'>, provider: Provider, enabled: Option<boolean>) {
  const { disabled, name } = providerRow(provider)
  if (!options.get(enabled)) throw new GatewayError(disabled, { provider: name })
}

/** Throws INVALID_INPUT for an empty code. */
export function requireCode(code: string): void {
  if (code === '') throw new GatewayError('INVALID_INPUT', { reason: 'code' })
}
