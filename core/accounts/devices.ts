import { randomHex, type Secrets, sameSecret } from '../secrets.ts'

/** Length of a nonce in hexadecimal digits. */
const NONCE_LENGTH = 32

/**
 * Browsers that have been signed in to an account. Wrong passwords from these browsers are counted separately, so that
 * strangers cannot lock out the owner.
 * https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 */
export type Devices = ReturnType<typeof createDevices>

export function createDevices({ secrets }: { secrets: Secrets }) {
  const sign = (nonce: string, userId: number) => secrets.digest(`device ${userId} ${nonce}`)
  return {
    /** Returns a value for the browser's cookie, valid only for that account. */
    issue(userId: number): string {
      const nonce = randomHex(NONCE_LENGTH)
      return `${nonce}.${sign(nonce, userId)}`
    },
    /** Returns the name to count failures by, or undefined if the value was not issued for that account. */
    nameOf(value: string, userId: number): string | undefined {
      const [nonce = '', signature = ''] = value.split('.')
      return nonce.length === NONCE_LENGTH && sameSecret(signature, sign(nonce, userId)) ? nonce : undefined
    },
  }
}
