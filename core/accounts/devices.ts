import { randomHex, type Secrets, sameSecret } from '../secrets.ts'

/** Long enough that no two are the same. */
const NONCE_LENGTH = 32

/**
 * Browsers that an account was signed in with before. Their wrong passwords are counted apart: strangers who guess cannot lock the
 * owner out. https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 */
export interface Devices {
  /** Returns what the browser keeps, good for that account alone. */
  issue(userId: number): string
  /** Returns the name to count by, or undefined if the value was not issued for that account. */
  nameOf(value: string, userId: number): string | undefined
}

export function createDevices({ secrets }: { secrets: Secrets }): Devices {
  const signed = (nonce: string, userId: number) => secrets.digest(`device ${userId} ${nonce}`)
  return {
    issue(userId) {
      const nonce = randomHex(NONCE_LENGTH)
      return `${nonce}.${signed(nonce, userId)}`
    },
    nameOf(value, userId) {
      const [nonce = '', signature = ''] = value.split('.')
      return nonce.length === NONCE_LENGTH && sameSecret(signature, signed(nonce, userId)) ? nonce : undefined
    },
  }
}
