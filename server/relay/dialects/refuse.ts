import { GatewayError } from '../../../core/errors.ts'
import { countOf } from '../json.ts'
import type { Body } from './dialect.ts'

/**
 * Throws REQUEST_MALFORMED for a request that cannot be served. `reason` is the message, which names the field. `param`
 * is the field's name, which OpenAI's clients read.
 */
export function refuse(reason: string, param?: string): never {
  throw new GatewayError('REQUEST_MALFORMED', { reason, ...(param && { param }) })
}

/**
 * Maximum number of tokens in a request's fields. Half of the signed 32-bit maximum, so that the sum of two counts
 * fits. No model writes so many tokens.
 */
export const TOKENS_MAX = 1_073_741_823

/** Maximum number of replies per request. No upstream allows more. */
const CHOICES_MAX = 128

/**
 * Returns the largest valid limit above 0, if any. A client may set several limit fields, and upstreams differ in which
 * of these fields they read.
 */
export function largestLimit(...limits: readonly unknown[]): number | undefined {
  let largest = 0
  for (let index = 0; index < limits.length; index++) largest = Math.max(largest, countOf(limits[index]))
  return largest || undefined
}

/** Throws REQUEST_MALFORMED if a field for the number of replies is not a whole number or is too high. */
export function checkChoices(body: Body, fields: readonly string[]): void {
  checkWholeNumbers(body, fields)
  for (const name of fields)
    if (Number(body[name] ?? 0) > CHOICES_MAX) refuse(`${name} must be at most ${CHOICES_MAX}`, name)
}

/** Throws REQUEST_MALFORMED if a field is present and is not a whole number from 0 to TOKENS_MAX. */
export function checkWholeNumbers(body: Body, fields: readonly string[]): void {
  for (const name of fields) {
    const value = body[name]
    if (value === undefined || value === null) continue
    const isValid = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= TOKENS_MAX
    if (!isValid) refuse(`${name} must be a whole number from 0 to ${TOKENS_MAX}`, name)
  }
}

export function checkStream(body: Body): void {
  if (body.stream !== undefined && body.stream !== null && typeof body.stream !== 'boolean')
    refuse('stream must be true or false', 'stream')
}
