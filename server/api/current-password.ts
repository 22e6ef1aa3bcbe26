import type { FastifyRequest } from 'fastify'
import type { PasswordProof } from '../../core/accounts/sign-in.ts'
import { GatewayError } from '../../core/errors.ts'
import { requireCommonRole } from '../../core/management-keys/administrator.ts'
import { RECENT_SECONDS } from '../../core/sessions.ts'
import type { Toolkit } from '../../core/toolkit.ts'
import { SESSION_COOKIE } from './access.ts'

/**
 * Requires proof that the user is present, before credentials change. The proof is the current password, or a sign-in
 * within the last ten minutes. With only an open browser or a stolen cookie, an attacker must not take over the
 * account. Throws CURRENT_PASSWORD_NEEDED, CURRENT_PASSWORD_WRONG, GUESSES_LIMITED.
 */
export async function requireUserPresent(
  { accounts, sessions }: Pick<Toolkit, 'accounts' | 'sessions'>,
  request: FastifyRequest,
  currentPassword = '',
): Promise<PasswordProof> {
  if (currentPassword !== '') {
    return { passwordHash: await accounts.confirmPassword(request.actor, currentPassword) }
  }
  const session = request.signedInBy === 'session' ? request.cookies[SESSION_COOKIE] : undefined
  if (session !== undefined && (await sessions.isRecent(session))) return {}
  throw new GatewayError('CURRENT_PASSWORD_NEEDED', { minutes: RECENT_SECONDS / 60 })
}

/**
 * Requires the proof of `requireUserPresent` before users change their own password. Also throws ACCESS_TOKEN_PASSWORD
 * for an access token, and KEY_ADMINISTRATOR for a management key.
 */
export async function requirePasswordProof(
  toolkit: Pick<Toolkit, 'accounts' | 'sessions'>,
  request: FastifyRequest,
  currentPassword?: string,
): Promise<PasswordProof> {
  if (request.signedInBy === 'access-token') throw new GatewayError('ACCESS_TOKEN_PASSWORD')
  // Only administrators have a route for their own password that accepts management keys.
  requireCommonRole(request.actor, request.actor.role)
  return requireUserPresent(toolkit, request, currentPassword)
}
