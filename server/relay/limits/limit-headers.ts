import type { DialectName } from '../../../core/channels/routing/operations.ts'
import type { Counter } from '../../../core/limits/counter.ts'
import { partAt } from '../../../core/limits/windows.ts'
import type { HeaderList } from '../../header-list.ts'

const MEASURES = ['requests', 'tokens'] as const
type Measure = (typeof MEASURES)[number]

const namesOf = (measure: Measure) => ({
  limit: `x-ratelimit-limit-${measure}`,
  remaining: `x-ratelimit-remaining-${measure}`,
  reset: `x-ratelimit-reset-${measure}`,
  anthropicLimit: `anthropic-ratelimit-${measure}-limit`,
  anthropicRemaining: `anthropic-ratelimit-${measure}-remaining`,
  anthropicReset: `anthropic-ratelimit-${measure}-reset`,
})
/** Header names, built only once, because V8 must look up each newly built name. */
const NAMES = { requests: namesOf('requests'), tokens: namesOf('tokens') }

/**
 * Returns rate limit headers for requests and for tokens. Both groups of headers report the limit that is closest to
 * exhaustion. The names are OpenAI's (https://platform.openai.com/docs/guides/rate-limits#rate-limits-in-headers).
 * Anthropic's clients also get Anthropic's names
 * (https://platform.claude.com/docs/en/api/rate-limits#response-headers). `clock` is the database's clock, in
 * milliseconds.
 */
export function limitHeaders(
  counters: readonly Counter[],
  { dialect, clock: { nowMs } }: { dialect: DialectName; clock: { readonly nowMs: number } },
): HeaderList {
  const headers: string[] = []
  const monotonicMs = performance.now()
  const tightestOf = tightestByMeasure(counters, monotonicMs)
  for (const measure of MEASURES) {
    const tightest = tightestOf[measure]
    if (!tightest) continue
    const amount = String(tightest.amount)
    const remaining = String(Math.floor(tightest.left(monotonicMs)))
    const resetMs = resetOf(tightest, { nowMs, monotonicMs })
    const names = NAMES[measure]
    headers.push(names.limit, amount, names.remaining, remaining, names.reset, formatResetDuration(resetMs - nowMs))
    if (dialect !== 'anthropic-messages') continue
    // Round up to whole seconds, like the text of the 429. Otherwise a client could retry too early.
    const reset = new Date(Math.ceil(resetMs / 1000) * 1000).toISOString().replace('.000Z', 'Z')
    headers.push(names.anthropicLimit, amount, names.anthropicRemaining, remaining, names.anthropicReset, reset)
  }
  return headers
}

/** Returns the counter with the smallest remaining fraction, both for requests and for tokens. */
function tightestByMeasure(counters: readonly Counter[], nowMs: number): Record<Measure, Counter | undefined> {
  let requests: Counter | undefined
  let tokens: Counter | undefined
  let leastRequests = Number.POSITIVE_INFINITY
  let leastTokens = Number.POSITIVE_INFINITY
  for (const counter of counters) {
    const { measure } = counter
    if (measure !== 'requests' && measure !== 'tokens') continue
    const fraction = counter.left(nowMs) / counter.amount
    if (measure === 'requests' && fraction < leastRequests) {
      leastRequests = fraction
      requests = counter
    } else if (measure === 'tokens' && fraction < leastTokens) {
      leastTokens = fraction
      tokens = counter
    }
  }
  return { requests, tokens }
}

/**
 * Returns the time in ms at which more of the limit becomes available: for a calendar window its end, for a rolling
 * window the expiry of its oldest usage, or later if a request that did not fit needs more.
 */
function resetOf(
  { limit, availableAt, endsAtMs }: Counter,
  { nowMs, monotonicMs }: { nowMs: number; monotonicMs: number },
): number {
  if (limit.time_zone === '') return Math.max(nowMs, availableAt)
  // Use the cached end of the window if possible, because computing it with the calendar is expensive.
  const leftMs = endsAtMs - monotonicMs
  return leftMs > 0 && leftMs < Number.POSITIVE_INFINITY ? nowMs + leftMs : partAt(limit, nowMs).end
}

/** Formats a duration like OpenAI: 1h2m3s, 6m0s, 20ms. */
function formatResetDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.ceil(ms))}ms`
  const seconds = Math.ceil(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  return `${hours ? `${hours}h` : ''}${hours || minutes ? `${minutes}m` : ''}${seconds % 60}s`
}
