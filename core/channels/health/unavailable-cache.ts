import type { Unavailable } from './health.ts'

/** How long a result is cached at most; a closing circuit invalidates it. */
const HOLDS_MS = 250
/** The most models per pool with a cached finding; clients invent most of them. */
const MODELS_MAX = 100

interface Finding {
  readonly limited: boolean
  /** When the first channel may be used again, and until when the finding is valid. */
  readonly retryAt: number
  readonly until: number
  /** The version of the circuits at that time. */
  readonly version: number
}

/**
 * Caches the result for a pool without any usable channel: checking all of its channels, maybe thousands, is too slow for each
 * request.
 */
export class UnavailableCache {
  private readonly byPool = new WeakMap<object, Map<string, Finding>>()

  /** Whether there is a finding about a pool. */
  knows(pool: object): boolean {
    return this.byPool.has(pool)
  }

  /** `wanted` names the checked circuits; `version` changes when one of them may close. */
  find(pool: object, wanted: string, { now, version }: { now: number; version: number }): Unavailable | undefined {
    const found = this.byPool.get(pool)?.get(wanted)
    // Ignore the entry if the clock went backward.
    if (!found || found.version !== version || now >= found.until || now < found.until - HOLDS_MS) return undefined
    return { limited: found.limited, seconds: secondsUntil(found.retryAt, now) }
  }

  keep(pool: object, wanted: string, found: Omit<Finding, 'until'>, now: number): void {
    let findings = this.byPool.get(pool)
    if (!findings || findings.size >= MODELS_MAX) {
      findings = new Map()
      this.byPool.set(pool, findings)
    }
    const until = found.retryAt > now ? Math.min(found.retryAt, now + HOLDS_MS) : now + HOLDS_MS
    findings.set(wanted, { ...found, until })
  }
}

/** Returns the seconds until a time, at least one. */
export function secondsUntil(at: number, now: number): number {
  return Number.isFinite(at) ? Math.max(1, Math.ceil((at - now) / 1000)) : 1
}
