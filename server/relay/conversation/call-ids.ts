import { createHash } from 'node:crypto'

const PLAIN = /^[a-zA-Z0-9_-]+$/

/**
 * Converts the id of a call to characters that every format allows. Anthropic accepts only `[a-zA-Z0-9_-]`. Equal ids
 * give equal results, and different ids give different results, so calls and their results still match.
 */
export function plainCallId(id: string): string {
  if (PLAIN.test(id)) return id
  const digest = createHash('sha256').update(id).digest('hex').slice(0, 12)
  return `${id.replaceAll(/[^a-zA-Z0-9_-]/g, '_')}_${digest}`
}
