import { type ErrorCode, GatewayError } from '../errors.ts'
import { textOf } from '../input.ts'

/** What cannot be seen, or looks like a space; it would make two names look the same. */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]|(?! )\p{Zs}/u
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/**
 * A name that is chosen now: 1 to 12 characters, blanks around it removed, all to be seen. Without `@`, so that nobody
 * signs in by a name that is another's mail address. Throws FIELD_*.
 */
export function usernameOf(value: string): string {
  const name = nameOf('username', value, { min: 1, max: 12 })
  if (INVISIBLE.test(name) || !VISIBLE.test(name)) throw unfit('FIELD_UNSEEN', 'username', name)
  if (name.includes('@')) throw unfit('FIELD_WITHOUT_AT', 'username', name)
  return name
}

/** Up to 20 characters. Throws FIELD_LENGTH, FIELD_UNSEEN. */
export const displayNameOf = (value: string): string => nameOf('display_name', value, { min: 0, max: 20 })

export const groupOf = (value: string): string => nameOf('group', value, { min: 1, max: 64 })

/** Names stand in logs, lists and terminals: no line breaks, no escapes, no halves of characters. */
function nameOf(field: string, value: string, bounds: { min: number; max: number }): string {
  const name = textOf(field, value, bounds)
  if (/[\p{Cc}\p{Cs}]/u.test(name)) throw unfit('FIELD_UNSEEN', field, name)
  return name
}

function unfit(code: ErrorCode, field: string, name: string): GatewayError {
  return new GatewayError(code, { field, value: JSON.stringify(name) })
}
