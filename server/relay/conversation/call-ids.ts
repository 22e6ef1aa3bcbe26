import { createHash } from 'node:crypto'

const PLAIN = /^[a-zA-Z0-9_-]+$/

/**
 * The id of a call in letters that every format allows: Anthropic takes nothing but `[a-zA-Z0-9_-]`. The same id always
 * gives the same text, and two ids never share one, so that calls and their results still find each other.
 */
export function plainCallId(id: string): string {
  if (PLAIN.test(id)) return id
  const digest = createHash('sha256').update(id).digest('hex').slice(0, 12)
  return `${id.replaceAll(/[^a-zA-Z0-9_-]/g, '_')}_${digest}`
}
