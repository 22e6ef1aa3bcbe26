import { GatewayError } from '../../../core/errors.ts'
import { countOf } from '../json.ts'
import type { Body } from './dialect.ts'

/** Rejects a request that no upstream could serve. `reason` names the field; `param` is its name alone, for OpenAI's clients. */
export function refuse(reason: string, param?: string): never {
  throw new GatewayError('REQUEST_MALFORMED', { reason, ...(param && { param }) })
}

/** Half of the 32-bit maximum: more than any model writes, and sums do not overflow. */
export const TOKENS_MAX = 1_073_741_823

/** Above the limit of any upstream. */
const CHOICES_MAX = 128

/** Returns the largest valid limit, since a client may set several fields and upstreams differ in which one they read. */
export function largestLimit(...limits: readonly unknown[]): number | undefined {
  return Math.max(...limits.map(countOf)) || undefined
}

/** Checks fields for the number of replies, which must be whole numbers if present. */
export function checkChoices(body: Body, fields: readonly string[]): void {
  checkWholeNumbers(body, fields)
  for (const name of fields)
    if (Number(body[name] ?? 0) > CHOICES_MAX) refuse(`${name} must be at most ${CHOICES_MAX}`, name)
}

/** Rejects fields that are present and not whole numbers from 0. */
export function checkWholeNumbers(body: Body, fields: readonly string[]): void {
  for (const name of fields) {
    const value = body[name]
    if (value === undefined || value === null) continue
    const valid = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= TOKENS_MAX
    if (!valid) refuse(`${name} is invalid: it must be a whole number`, name)
  }
}

export function checkStream(body: Body): void {
  if (body.stream !== undefined && body.stream !== null && typeof body.stream !== 'boolean')
    refuse('stream must be true or false', 'stream')
}
