import { GatewayError } from '../errors.ts'

/** Prefix of every management key, so that scanners of source code can find a leaked one. */
export const MANAGEMENT_KEY_PREFIX = 'tgm_'
export const SHOWN_CHARACTERS = 8
export const NEVER = -1

const SHAPE = /^tgm_[0-9A-Za-z]{40,128}$/
const DISTINCT_MIN = 10

/**
 * Throws MANAGEMENT_KEY_SHAPE for a key that was chosen and not drawn at random: shorter than those that are made here, of few
 * characters, or a repetition.
 */
export function requireKeyShape(key: string): void {
  const drawn = key.slice(MANAGEMENT_KEY_PREFIX.length)
  if (SHAPE.test(key) && new Set(drawn).size >= DISTINCT_MIN && !/^(.+?)\1+$/.test(drawn)) return
  throw new GatewayError('MANAGEMENT_KEY_SHAPE')
}
