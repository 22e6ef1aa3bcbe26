import { type Actor, ROLE } from '../actor.ts'
import { GatewayError } from '../errors.ts'

/**
 * Throws KEY_ADMINISTRATOR if the actor uses a management key and the role is an administrator's. Otherwise the key's
 * holder could create an administrator or set an administrator's password, and sign in. A session is not bound by the
 * key's scopes, amount and expiry.
 */
export function requireCommonRole({ keyId }: Pick<Actor, 'keyId'>, role: number): void {
  if (keyId !== undefined && role >= ROLE.admin) throw new GatewayError('KEY_ADMINISTRATOR')
}
