import { randomKey } from '../../api/request-keys.ts'
import { readStoredText, writeStored } from '../../storage.ts'

/** The user fields that Telegram signs (https://core.telegram.org/widgets/login). */
const SIGNED_FIELDS = ['id', 'first_name', 'last_name', 'username', 'photo_url', 'auth_date', 'hash', 'lang']

/**
 * Returns the callback URL for Telegram's button. Its random state proves that the sign-in began in this browser.
 * Without the state, an attacker's link could bind the attacker's account to the user, or sign the user in as the
 * attacker. All windows of the browser share the stored state until it is used.
 */
export function telegramCallback(): string {
  const storedState = readStoredText('telegram-state')
  const state = storedState ?? randomKey()
  if (storedState === undefined) writeStored('telegram-state', state)
  return `/oauth/telegram?${new URLSearchParams({ state })}`
}

/** Returns whether the callback belongs to a sign-in that began in this browser. If so, removes the stored state. */
export function takeTelegramState(query: URLSearchParams): boolean {
  const state = readStoredText('telegram-state')
  if (state === undefined || query.get('state') !== state) return false
  writeStored('telegram-state', undefined)
  return true
}

/** Returns only the fields that Telegram has signed. With other URL parameters, the signature would not match. */
export const signedByTelegram = (query: URLSearchParams): Record<string, string> =>
  Object.fromEntries([...query].filter(([name]) => SIGNED_FIELDS.includes(name)))
