import type { SkippedChannel } from './attempt.ts'
import type { AttemptResult } from './open-reply.ts'

/** An output limit that nearly every model supports. */
const SAFE_TOKENS = 4096
const NAMES_LIMIT = /max_?(completion_?|output_?|new_?)?tokens|maximum context length|num_predict/i
const AT_MOST = /(?:at most|less than or equal to|<=|maximum (?:value|of|is))\D{0,20}(\d+)/i

/**
 * If an upstream rejected the output limit that the gateway added, returns a smaller limit for a retry. The gateway
 * does not always know the model's maximum. Returns undefined for any other result.
 */
export function smallerLimit(result: AttemptResult | SkippedChannel, limit: number | undefined): number | undefined {
  if (limit === undefined || result.kind !== 'failure') return undefined
  const { status, message } = result.failure
  if ((status !== 400 && status !== 422) || !NAMES_LIMIT.test(message)) return undefined
  const stated = Number(AT_MOST.exec(message)?.[1] ?? SAFE_TOKENS)
  const smaller = Math.min(SAFE_TOKENS, stated)
  return smaller >= 1 && smaller < limit ? smaller : undefined
}
