import { type Actor, ROLE } from '../actor.ts'
import { GatewayError } from '../errors.ts'

/**
 * Throws KEY_ADMINISTRATOR if the actor uses a management key and the role is an administrator's. A key that makes an
 * administrator, or knows the password of one, could sign in without the limits of its scopes, amount and expiry.
 */
export function requireCommonRole({ keyId }: Pick<Actor, 'keyId'>, role: number): void {
  if (keyId !== undefined && role >= ROLE.admin) throw new GatewayError('KEY_ADMINISTRATOR')
}
