import type { Unavailable } from './health.ts'

/** Maximum time for which a result is cached. A closing circuit invalidates the result earlier. */
const CACHED_MS = 250
/** Maximum number of cached results per pool, by model name. If there are more names, clients have invented most. */
const MODELS_MAX = 100

interface Finding {
  readonly limited: boolean
  /** `retryAt`: when the first channel may be used again. `until`: when the result expires. Both in milliseconds. */
  readonly retryAt: number
  readonly until: number
  /** Version of the circuits when the result was cached. */
  readonly version: number
}

/** Caches the result for a pool without usable channels, so that requests need not check its thousands of channels. */
export class UnavailableCache {
  private readonly byPool = new WeakMap<object, Map<string, Finding>>()

  /** Returns whether there is a result for a pool. The result may have expired. */
  has(pool: object): boolean {
    return this.byPool.has(pool)
  }

  /**
   * Returns the cached result, or undefined if there is no result or it has expired. `circuitsKey` names the checked
   * circuits. `version` changes when a circuit may allow requests again.
   */
  find(pool: object, circuitsKey: string, { now, version }: { now: number; version: number }): Unavailable | undefined {
    const finding = this.byPool.get(pool)?.get(circuitsKey)
    // Ignore the entry if the clock went backward.
    if (!finding || finding.version !== version || now >= finding.until || now < finding.until - CACHED_MS)
      return undefined
    return { limited: finding.limited, seconds: secondsUntil(finding.retryAt, now) }
  }

  keep(pool: object, circuitsKey: string, finding: Omit<Finding, 'until'>, now: number): void {
    let findings = this.byPool.get(pool)
    if (!findings || findings.size >= MODELS_MAX) {
      findings = new Map()
      this.byPool.set(pool, findings)
    }
    const until = finding.retryAt > now ? Math.min(finding.retryAt, now + CACHED_MS) : now + CACHED_MS
    findings.set(circuitsKey, { ...finding, until })
  }
}

/** Returns the seconds until a time, at least one. */
export function secondsUntil(at: number, now: number): number {
  return Number.isFinite(at) ? Math.max(1, Math.ceil((at - now) / 1000)) : 1
}
