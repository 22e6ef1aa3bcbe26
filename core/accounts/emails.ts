import type { Knex } from 'knex'
import { GatewayError } from '../errors.ts'
import { commaList } from '../input.ts'
import { isMailAddress } from '../mail/address.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'

const LENGTH_MAX = 50

/** Whether an account can have that address: a plain one of at most 50 characters. */
export function fitsAccount(email: string): boolean {
  return email.length <= LENGTH_MAX && isMailAddress(email)
}

/** The address as it is stored: as it was written. Throws FIELD_REQUIRED, EMAIL_INVALID. */
export function emailOf(value: string): string {
  const email = value.trim()
  if (email === '') throw new GatewayError('FIELD_REQUIRED', { field: 'email' })
  if (!fitsAccount(email)) throw new GatewayError('EMAIL_INVALID')
  return email
}

/** The address that somebody wants a mail at; what is none at all has a documented answer. Throws INVALID_INPUT, EMAIL_INVALID. */
export function receiverOf(value: string): string {
  if (!value.includes('@')) throw new GatewayError('INVALID_INPUT', { reason: 'email is not a mail address' })
  return emailOf(value)
}

/** Throws EMAIL_DOMAIN, EMAIL_ALIAS when the operator's rules do not let that address in. */
export function requireWelcome(email: string, options: Options): void {
  const [local = '', domain = ''] = email.toLowerCase().split('@')
  if (options.get(OPTIONS.EmailDomainRestrictionEnabled)) {
    const welcome = commaList(options.get(OPTIONS.EmailDomainWhitelist).toLowerCase())
    if (!welcome.includes(domain)) throw new GatewayError('EMAIL_DOMAIN')
  }
  if (options.get(OPTIONS.EmailAliasRestrictionEnabled) && /[+.]/.test(local)) throw new GatewayError('EMAIL_ALIAS')
}

/**
 * What to say to whoever comes with a code that does not work: of two who come with the same one, the second learns that
 * the address is somebody's by now. `userId`: whose address it may be; 0 for nobody's.
 */
export async function codeRefusal(db: Knex, email: string, userId = 0): Promise<GatewayError> {
  const owner = await db('users')
    .where((query) => ofEmail(query, email))
    .first('id')
  return new GatewayError(owner && owner.id !== userId ? 'EMAIL_TAKEN' : 'CODE_WRONG')
}

/** Narrows a query of users to the one of that address, however it is written; said so that the index is used. */
export function ofEmail(query: Knex.QueryBuilder, email: string): void {
  query.whereNot({ email: '' }).whereRaw('lower(email) = ?', [email.toLowerCase()])
}
