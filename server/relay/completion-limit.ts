import type { Admitted } from './admission.ts'
import { DIALECTS } from './dialects/dialects.ts'
import { TOKENS_MAX } from './dialects/refuse.ts'

/**
 * How many output tokens a request may cost at most, as far as it says; `fallback` where it says nothing. Several
 * choices cost as many times as much.
 */
export function completionLimit({ entry, body }: Pick<Admitted, 'entry' | 'body'>, fallback: number): number {
  if (entry.operation !== 'chat') return 0
  const { tokens, choices } = DIALECTS[entry.dialect].limit(body)
  return Math.min((tokens ?? fallback) * choices, TOKENS_MAX)
}
