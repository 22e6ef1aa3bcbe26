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

/** Cryptography with the master key. Created once by `openToolkit`, for code that stores or compares secrets. */
export interface Secrets {
  /** Encrypts by AES-256-GCM with a fresh nonce, so equal texts get different values. Empty stays empty. */
  seal(text: string): string
  /** Decrypts; throws if the value was sealed with another key or altered. */
  open(sealed: string): string
  /** The same for bytes. */
  sealBytes(bytes: Buffer): Buffer
  openBytes(sealed: Buffer): Buffer
  /** Returns a keyed digest (64 hex characters) to look up a secret without storing it. */
  digest(text: string): string
  /** Identifies the master key without revealing it. */
  readonly fingerprint: string
}

export function createSecrets(masterKey: string): Secrets {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', masterKey, 'tollgate', purpose, 32))
  const sealing = derive('seal')
  const digesting = derive('digest')
  const digest = (text: string) => createHmac('sha256', digesting).update(text).digest('hex')
  function sealBytes(bytes: Buffer): Buffer {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', sealing, nonce)
    const body = Buffer.concat([cipher.update(bytes), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), body])
  }
  function openBytes(sealed: Buffer): Buffer {
    const decipher = createDecipheriv('aes-256-gcm', sealing, sealed.subarray(0, 12))
    decipher.setAuthTag(sealed.subarray(12, 28))
    return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
  }
  return {
    seal: (text) => (text === '' ? '' : SEALED + sealBytes(Buffer.from(text, 'utf8')).toString('base64')),
    open(sealed) {
      if (sealed === '') return ''
      if (!sealed.startsWith(SEALED)) throw new Error('Not a sealed value')
      return openBytes(Buffer.from(sealed.slice(SEALED.length), 'base64')).toString('utf8')
    },
    sealBytes,
    openBytes,
    digest,
    fingerprint: digest('fingerprint'),
  }
}

const ALPHANUMERICS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Returns random characters from 0-9a-zA-Z, cryptographically secure. */
export function randomAlphanumerics(length: number): string {
  return Array.from({ length }, () => ALPHANUMERICS[randomInt(ALPHANUMERICS.length)]).join('')
}

/** Returns random lower-case hex characters. */
export function randomHex(length: number): string {
  return randomBytes(Math.ceil(length / 2))
    .toString('hex')
    .slice(0, length)
}

/** Compares in constant time. */
export function sameSecret(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
