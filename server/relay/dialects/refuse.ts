import { GatewayError } from '../../../core/errors.ts'
import { countOf } from '../json.ts'
import type { Body } from './dialect.ts'

/** A request that no upstream could serve. `reason` names the field. */
export function refuse(reason: string): never {
  throw new GatewayError('REQUEST_MALFORMED', { reason })
}

/** Half of what 32 bits hold: more than any model writes, and sums of it stay whole. */
export const TOKENS_MAX = 1_073_741_823

/** More replies at once than any upstream gives. */
const CHOICES_MAX = 128

/** The largest of several limits, as far as they are any: what a client says under one name counts though it says less under another. */
export function largest(...limits: readonly unknown[]): number | undefined {
  return Math.max(...limits.map(countOf)) || undefined
}

/** How many replies a request wants, in fields that must be whole numbers, if they are there. */
export function checkChoices(body: Body, fields: readonly string[]): void {
  checkWholeNumbers(body, fields)
  for (const name of fields) if (Number(body[name] ?? 0) > CHOICES_MAX) refuse(`${name} must be at most ${CHOICES_MAX}`)
}

/** Fields that must be whole numbers from 0, if they are there. */
export function checkWholeNumbers(body: Body, fields: readonly string[]): void {
  for (const name of fields) {
    const value = body[name]
    if (value === undefined || value === null) continue
    const valid = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= TOKENS_MAX
    if (!valid) refuse(`${name} is invalid: it must be a whole number`)
  }
}

export function checkStream(body: Body): void {
  if (body.stream !== undefined && body.stream !== null && typeof body.stream !== 'boolean')
    refuse('stream must be true or false')
}
