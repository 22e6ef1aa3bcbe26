import type { DialectName } from '../../../core/channels/routing/operations.ts'
import type { Counter } from '../../../core/limits/counter.ts'
import { partAt } from '../../../core/limits/windows.ts'

type Measure = 'requests' | 'tokens'

/**
 * Returns the headers that report what is left of the limit closest to exhaustion: with OpenAI's names
 * (https://platform.openai.com/docs/guides/rate-limits#rate-limits-in-headers), and for Anthropic's clients also with
 * Anthropic's (https://platform.claude.com/docs/en/api/rate-limits#response-headers). `clock` is the database's, in
 * milliseconds.
 */
export function limitHeaders(
  counters: readonly Counter[],
  { dialect, clock: { nowMs } }: { dialect: DialectName; clock: { readonly nowMs: number } },
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const measure of ['requests', 'tokens'] as const) {
    const tightest = tightestOf(counters, measure)
    if (!tightest) continue
    const { limit } = tightest
    const left = String(Math.floor(tightest.left(performance.now())))
    const resetMs = resetOf(tightest, nowMs)
    headers[`x-ratelimit-limit-${measure}`] = String(limit.amount)
    headers[`x-ratelimit-remaining-${measure}`] = left
    headers[`x-ratelimit-reset-${measure}`] = durationText(resetMs - nowMs)
    if (dialect !== 'anthropic-messages') continue
    headers[`anthropic-ratelimit-${measure}-limit`] = String(limit.amount)
    headers[`anthropic-ratelimit-${measure}-remaining`] = left
    headers[`anthropic-ratelimit-${measure}-reset`] = new Date(resetMs).toISOString().replace(/\.\d+Z$/, 'Z')
  }
  return headers
}

function tightestOf(counters: readonly Counter[], measure: Measure): Counter | undefined {
  let tightest: Counter | undefined
  let least = Number.POSITIVE_INFINITY
  const nowMs = performance.now()
  for (const counter of counters) {
    if (counter.limit.measure !== measure) continue
    const share = counter.left(nowMs) / counter.limit.amount
    if (share >= least) continue
    least = share
    tightest = counter
  }
  return tightest
}

/** Returns the time at which the full limit is available again, without further requests. */
function resetOf({ limit, availableAt }: Counter, nowMs: number): number {
  if (limit.time_zone === '') return Math.max(nowMs, availableAt)
  return partAt(limit, nowMs).end
}

/** Formats a duration like OpenAI: 1h2m3s, 6m0s, 20ms. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.ceil(ms))}ms`
  const seconds = Math.ceil(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  return `${hours ? `${hours}h` : ''}${hours || minutes ? `${minutes}m` : ''}${seconds % 60}s`
}
