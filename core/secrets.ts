import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto'

const SEALED = 'v1:'

/** Encrypts and digests secrets with the master key. `openToolkit` creates one instance per process. */
export type Secrets = ReturnType<typeof createSecrets>

export function createSecrets(masterKey: string) {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', masterKey, 'tollgate', purpose, 32))
  const sealingKey = derive('seal')
  const digestKey = derive('digest')
  const digest = (text: string) => createHmac('sha256', digestKey).update(text).digest('hex')
  function sealBytes(bytes: Buffer): Buffer {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce)
    const body = Buffer.concat([cipher.update(bytes), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), body])
  }
  function openBytes(sealed: Buffer): Buffer {
    const decipher = createDecipheriv('aes-256-gcm', sealingKey, sealed.subarray(0, 12))
    decipher.setAuthTag(sealed.subarray(12, 28))
    return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
  }
  return {
    /**
     * Encrypts with AES-256-GCM and a new nonce, so that equal texts get different values. An empty text stays empty.
     */
    seal: (text: string): string =>
      text === '' ? '' : SEALED + sealBytes(Buffer.from(text, 'utf8')).toString('base64'),
    /** Decrypts a result of `seal`. Throws if the value was changed, or sealed with another key. */
    open(sealed: string): string {
      if (sealed === '') return ''
      if (!sealed.startsWith(SEALED)) throw new Error('Not a sealed value')
      return openBytes(Buffer.from(sealed.slice(SEALED.length), 'base64')).toString('utf8')
    },
    /** Encrypts bytes, like `seal`. */
    sealBytes,
    /** Decrypts a result of `sealBytes`. Throws like `open`. */
    openBytes,
    /** Returns a keyed digest (64 hex characters), to look up a secret without storing it. */
    digest,
    /** A digest that identifies the master key without revealing it. */
    fingerprint: digest('fingerprint'),
  }
}

const ALPHANUMERICS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Returns cryptographically secure random characters from 0-9, a-z and A-Z. */
export function randomAlphanumerics(length: number): string {
  return Array.from({ length }, () => ALPHANUMERICS[randomInt(ALPHANUMERICS.length)]).join('')
}

/** Returns cryptographically secure random hex characters in lower case. */
export function randomHex(length: number): string {
  return randomBytes(Math.ceil(length / 2))
    .toString('hex')
    .slice(0, length)
}

/** Returns whether two secrets are equal. The time taken does not reveal where they differ. */
export function sameSecret(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
