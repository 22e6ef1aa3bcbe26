import { type ErrorCode, GatewayError } from '../errors.ts'
import { requireText } from '../input.ts'

/** Invisible characters, and characters that look like a space. With them, different names could look the same. */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]|(?! )\p{Zs}/u
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/** Checks a new user name: 1 to 12 visible characters, no `@`, so that no name is a mail address. Throws FIELD_*. */
export function usernameOf(value: string): string {
  const name = nameOf('username', value, { min: 1, max: 12 })
  if (INVISIBLE.test(name) || !VISIBLE.test(name)) throw nameError('FIELD_UNSEEN', 'username', name)
  if (name.includes('@')) throw nameError('FIELD_WITHOUT_AT', 'username', name)
  return name
}

/** Checks a display name of up to 20 characters. Throws FIELD_LENGTH, FIELD_UNSEEN. */
export const displayNameOf = (value: string): string => nameOf('display_name', value, { min: 0, max: 20 })

export const groupNameOf = (value: string): string => nameOf('group', value, { min: 1, max: 64 })

/** Checks a name. Rejects line breaks, escapes and lone surrogates, because logs, lists and terminals show names. */
function nameOf(field: string, value: string, bounds: { min: number; max: number }): string {
  const name = requireText(field, value, bounds)
  if (/[\p{Cc}\p{Cs}]/u.test(name)) throw nameError('FIELD_UNSEEN', field, name)
  return name
}

function nameError(code: ErrorCode, field: string, name: string): GatewayError {
  return new GatewayError(code, { field, value: JSON.stringify(name) })
}
