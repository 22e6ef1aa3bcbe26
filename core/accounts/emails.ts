import type { Knex } from 'knex'
import { GatewayError } from '../errors.ts'
import { commaList } from '../input.ts'
import { isMailAddress } from '../mail/address.ts'
import type { Language } from '../messages/language.ts'
import { because } from '../messages/reasons.ts'
import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'

const LENGTH_MAX = 50

/** Returns whether an account may have that mail address: it must be valid and have at most 50 characters. */
export function fitsAccount(email: string): boolean {
  return email.length <= LENGTH_MAX && isMailAddress(email)
}

/** Returns the address without surrounding blanks. Throws FIELD_REQUIRED, EMAIL_INVALID. */
export function emailOf(value: string): string {
  const email = value.trim()
  if (email === '') throw new GatewayError('FIELD_REQUIRED', { field: 'email' })
  if (!fitsAccount(email)) throw new GatewayError('EMAIL_INVALID')
  return email
}

/** Returns the receiver of a mail. Throws EMAIL_INVALID. Throws INVALID_INPUT without `@`, like the documented API. */
export function receiverOf(value: string): string {
  if (!value.includes('@')) throw new GatewayError('INVALID_INPUT', because('emailMalformed'))
  return emailOf(value)
}

/** Returns the language of mails to a user from the column `language`. Empty means Chinese, the API's default. */
export function mailLanguage(stored: string): Language {
  return stored === 'en' ? 'en' : 'zh'
}

/** Throws EMAIL_DOMAIN or EMAIL_ALIAS if the operator's rules reject the address. */
export function requireAllowedEmail(email: string, options: Options): void {
  const [local = '', domain = ''] = email.toLowerCase().split('@')
  if (options.get(OPTIONS.EmailDomainRestrictionEnabled)) {
    const allowedDomains = commaList(options.get(OPTIONS.EmailDomainWhitelist).toLowerCase())
    if (!allowedDomains.includes(domain)) throw new GatewayError('EMAIL_DOMAIN')
  }
  if (options.get(OPTIONS.EmailAliasRestrictionEnabled) && /[+.]/.test(local)) throw new GatewayError('EMAIL_ALIAS')
}

/**
 * Returns the error for a rejected code. It is EMAIL_TAKEN if another user has the address, because a concurrent
 * request may have used the same code, else CODE_WRONG. `userId` is the user who may have the address; 0 for none.
 */
export async function codeError(db: Knex, email: string, userId = 0): Promise<GatewayError> {
  const owner = await db('users')
    .where((query) => whereEmail(query, email))
    .first('id')
  return new GatewayError(owner && owner.id !== userId ? 'EMAIL_TAKEN' : 'CODE_WRONG')
}

/** Limits a query to the user with a mail address, ignoring case. The conditions match the index `users_email_once`. */
export function whereEmail(query: Knex.QueryBuilder, email: string): void {
  query.whereNot({ email: '' }).whereRaw('lower(email) = ?', [email.toLowerCase()])
}
