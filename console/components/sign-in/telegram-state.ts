import { readStored, writeStored } from '../../storage.ts'

/** The user fields that Telegram signs (https://core.telegram.org/widgets/login). */
const SIGNED_FIELDS = ['id', 'first_name', 'last_name', 'username', 'photo_url', 'auth_date', 'hash', 'lang']

/**
 * Returns the callback URL of Telegram's button. Its random state proves that the sign-in began in this browser: without it
 * a link could bind a stranger's account to the user, or sign the user in as the stranger. The state is stored for new
 * windows, and shared by all windows with the button until it is used.
 */
export function telegramCallback(): string {
  const state = readStored('telegram-state', isText) ?? newState()
  return `/oauth/telegram?${new URLSearchParams({ state })}`
}

/** Whether the callback belongs to a sign-in of this browser. Consumes the state. */
export function takeTelegramState(query: URLSearchParams): boolean {
  const state = readStored('telegram-state', isText)
  if (state === undefined || query.get('state') !== state) return false
  writeStored('telegram-state', undefined)
  return true
}

/** Returns the fields that Telegram has signed: other URL parameters would break the signature. */
export const signedByTelegram = (query: URLSearchParams): Record<string, string> =>
  Object.fromEntries([...query].filter(([name]) => SIGNED_FIELDS.includes(name)))

function newState(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const state = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  writeStored('telegram-state', state)
  return state
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
