import type { PassedOver } from './attempt.ts'
import type { AttemptResult } from './open-reply.ts'

/** Nearly every model writes so much. */
const SAFE_TOKENS = 4096
const NAMES_LIMIT = /max_?(completion_?|output_?|new_?)?tokens|maximum context length|num_predict/i
const AT_MOST = /(?:at most|less than or equal to|<=|maximum (?:value|of|is))\D{0,20}(\d+)/i

/**
 * Returns the smaller limit to try, if an upstream rejected a request for the limit that the gateway added: the longest reply of
 * a model is not always known. Undefined for any other result.
 */
export function smallerLimit(result: AttemptResult | PassedOver, limit: number | undefined): number | undefined {
  if (limit === undefined || result.kind !== 'failure') return undefined
  const { status, message } = result.failure
  if ((status !== 400 && status !== 422) || !NAMES_LIMIT.test(message)) return undefined
  const stated = Number(AT_MOST.exec(message)?.[1] ?? SAFE_TOKENS)
  const smaller = Math.min(SAFE_TOKENS, stated)
  return smaller >= 1 && smaller < limit ? smaller : undefined
}
