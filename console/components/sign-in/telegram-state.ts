import { readStored, writeStored } from '../../storage.ts'

/** What Telegram says of a user, as it is signed (https://core.telegram.org/widgets/login). */
const SIGNED_FIELDS = ['id', 'first_name', 'last_name', 'username', 'photo_url', 'auth_date', 'hash', 'lang']

/**
 * The address that Telegram's button leads back to. The random value in it proves that the sign-in began in this browser:
 * else a link could bind a stranger's account to who is signed in, or sign in somebody as the stranger. It is kept where a
 * new window finds it, and stays the same until it is used, for every window that shows the button.
 */
export function telegramCallback(): string {
  const state = readStored('telegram-state', isText) ?? newState()
  return `/oauth/telegram?${new URLSearchParams({ state })}`
}

/** Whether what came back began in this browser. It is good for one try. */
export function takeTelegramState(query: URLSearchParams): boolean {
  const state = readStored('telegram-state', isText)
  if (state === undefined || query.get('state') !== state) return false
  writeStored('telegram-state', undefined)
  return true
}

/** What Telegram has signed, without what else the address has: anything more makes the signature wrong. */
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
