import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Identity } from '../../../core/accounts/identities.ts'
import { type IdentityProvider, providerInfo } from '../../../core/accounts/providers.ts'
import type { User } from '../../../core/accounts/schema.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Option } from '../../../core/options/rows.ts'
import type { Toolkit } from '../../../core/toolkit.ts'
import { SESSION_COOKIE } from '../access.ts'
import { setDeviceCookie, signInOrigin } from '../device-cookie.ts'
import { ok, requestedLanguage } from '../envelope.ts'
import { originOf } from '../invite-origin.ts'
import { loginAnswer } from '../login-answer.ts'
import { setSessionCookie } from '../session-cookie.ts'

/** Signs the browser in as the identity's user: sets the session and device cookies. Returns the login reply. */
export async function signInBrowser(
  { identities, sessions, devices }: Pick<Toolkit, 'identities' | 'sessions' | 'devices'>,
  request: FastifyRequest,
  reply: FastifyReply,
  identity: Identity,
  invitation: { inviteCode?: string | undefined } = {},
): Promise<{ success: true; message: string; data: User }> {
  const user = await identities.signIn(identity, {
    ...invitation,
    ...(invitation.inviteCode && { origin: originOf(request, reply) }),
  })
  const signInDetails = { origin: signInOrigin({ devices }, request, user.id), language: requestedLanguage(request) }
  setSessionCookie(request, reply, await sessions.rotate(request.cookies[SESSION_COOKIE], user.id, signInDetails))
  setDeviceCookie({ devices }, request, reply, user.id)
  return ok(loginAnswer(user))
}

/** Throws PROVIDER_DISABLED or WECHAT_DISABLED if the option `enabled` is off. */
export function requireEnabled(
  { options }: Pick<Toolkit, 'options'>,
  provider: IdentityProvider,
  enabled: Option<boolean>,
) {
  const { disabled, name } = providerInfo(provider)
  if (!options.get(enabled)) throw new GatewayError(disabled, { provider: name })
}

/** Throws INVALID_INPUT for an empty code. */
export function requireCode(code: string): void {
  if (code === '') throw new GatewayError('INVALID_INPUT', { reason: 'code' })
}
