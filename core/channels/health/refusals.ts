import type { SetAside } from './health.ts'

/** So long a finding holds at most; a circuit that lets somebody in ends it at once. */
const HOLDS_MS = 250
/** Models asked of one pool, most of them made up by clients, of which a finding is kept. */
const MODELS_MAX = 100

interface Finding {
  readonly limited: boolean
  /** When the first may be asked again, and until when the finding holds. */
  readonly retryAt: number
  readonly until: number
  /** Of the circuits, when it was made. */
  readonly version: number
}

/** What is answered when nobody of a pool may be asked: found out by looking at all of it, which may be thousands, so not each time. */
export class Refusals {
  private readonly byPool = new WeakMap<object, Map<string, Finding>>()

  /** Whether anything was found out of a pool. */
  knows(pool: object): boolean {
    return this.byPool.has(pool)
  }

  /** `wanted` names the circuits that were looked at; `version` changes when one of them may let somebody in. */
  find(pool: object, wanted: string, { now, version }: { now: number; version: number }): SetAside | undefined {
    const found = this.byPool.get(pool)?.get(wanted)
    // A clock that was put back proves nothing.
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

/** At least one. */
export function secondsUntil(at: number, now: number): number {
  return Number.isFinite(at) ? Math.max(1, Math.ceil((at - now) / 1000)) : 1
}
