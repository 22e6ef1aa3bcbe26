import { GatewayError } from '../errors.ts'

/** Prefix of every management key. Secret scanners use it to find leaked keys in source code. */
export const MANAGEMENT_KEY_PREFIX = 'tgm_'
export const SHOWN_CHARACTERS = 8

const SHAPE = /^tgm_[0-9A-Za-z]{40,128}$/
const DISTINCT_MIN = 10

/**
 * Throws MANAGEMENT_KEY_SHAPE if a key was probably not generated at random. Such a key is shorter than generated keys,
 * has few different characters, or repeats a part.
 */
export function requireKeyShape(key: string): void {
  const randomPart = key.slice(MANAGEMENT_KEY_PREFIX.length)
  if (SHAPE.test(key) && new Set(randomPart).size >= DISTINCT_MIN && !/^(.+?)\1+$/.test(randomPart)) return
  throw new GatewayError('MANAGEMENT_KEY_SHAPE')
}
