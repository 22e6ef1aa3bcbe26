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

/** What the master key is good for. Made once by `openToolkit`, handed to whoever stores or compares a secret. */
export interface Secrets {
  /** AES-256-GCM, a fresh nonce each time: the same text never seals to the same value twice. Empty stays empty. */
  seal(text: string): string
  /** The text that was sealed; throws when the value was sealed with another key or was altered. */
  open(sealed: string): string
  /** The same for bytes, which need not be text. */
  sealBytes(bytes: Buffer): Buffer
  openBytes(sealed: Buffer): Buffer
  /** A keyed digest for looking a secret up without storing it: 64 hex characters. */
  digest(text: string): string
  /** Tells whether a database belongs to this master key, without revealing the key. */
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

/** Random characters from 0-9a-zA-Z by a cryptographic generator. */
export function randomAlphanumerics(length: number): string {
  return Array.from({ length }, () => ALPHANUMERICS[randomInt(ALPHANUMERICS.length)]).join('')
}

/** Random lower-case hex characters. */
export function randomHex(length: number): string {
  return randomBytes(Math.ceil(length / 2))
    .toString('hex')
    .slice(0, length)
}

/** Compares without telling by its duration how much was alike. */
export function sameSecret(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
