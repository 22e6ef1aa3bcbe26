import type { Evidence } from './evidence.ts'
import { History } from './history.ts'

/**
 * A circuit keeps attempts away from what has been seen to fail. Closed: everything passes. Open: nothing passes until
 * `retryAt`. From then on one attempt at a time is let through as a probe; its success closes the circuit, its failure opens it
 * for longer.
 *
 * How many failures in a row are enough. 3 for a model that is not there: the answer says so itself. 3 for a limit without a
 * time. 5 for an account that is refused, and for a host that nobody reaches: the next request may be lucky with another
 * address, a third will not. 10 for errors of the server, which come and go.
 *
 * Such a row comes about by chance as well. An upstream that fails 30 % of the time makes 5 in a row once in 600 requests,
 * and 10 in a row once in 240 000. So a row counts for what it is unlikely to be: where the same failure was seen between
 * successes before, with a share p of the attempts, the row must be so long that p^n is below one in ten million, though 12 are
 * always enough (0.3^12 is one in two million). Simulated: with 30 % of failures in five ways, one in a thousand runs of 20 000
 * attempts opens a circuit at all, for a second; with 30 % of one kind, one in a million attempts does.
 *
 * The share of failures in the last minute opens for what fails often but not always: 60 % of 80 attempts and more. An
 * upstream that fails 30 % of the time shows that once in 30 million minutes (binomial tail 3e-8); with 20 attempts it
 * would be once in 200.
 */
const IN_A_ROW: Record<Evidence, number> = { account: 5, unreachable: 5, model: 3, limited: 3, server: 10 }
const IN_A_ROW_MAX = 12
const CHANCE_MAX = 1e-7
const RATED: ReadonlySet<Evidence> = new Set(['server', 'model', 'unreachable'])
const SAMPLES_MIN = 80
const FAILED_SHARE = 0.6

export const OPEN_MS = 1000
export const OPEN_MAX_MS = 60_000
export const RETRY_AFTER_MAX_MS = 600_000
const JITTER = 0.2
/** An opening so long after the last is the first again. */
const CALM_MS = 600_000
/** A probe that has not ended by then is no longer waited for. */
const PROBE_MS = 60_000

/** What one attempt means to one circuit. */
export interface Pass {
  readonly since: number
  /** Probes alone have one. */
  readonly probe: boolean
}

/** `reopened`: it was open, and stays so for longer. */
export type Transition = 'opened' | 'reopened' | 'closed'

/** Times are in milliseconds, of one clock that only goes forward. `random` is uniform in [0, 1). */
export class Circuit {
  open = false
  /** Of an open one: what has opened it, and when. */
  evidence: Evidence = 'server'
  reason = ''
  openedAt = 0
  retryAt = 0
  /** Openings without ten calm minutes between them. */
  private level = 0
  private closedAt = Number.NEGATIVE_INFINITY
  private probing: Pass | undefined
  private row = 0
  private rowOf: Evidence | undefined
  private failedAt = 0
  private readonly history = new History()

  /** Whether an attempt may be made now. */
  allows(now: number): boolean {
    // A clock that was put back would keep it open for as long.
    if (!this.open || now < this.openedAt) return true
    return now >= this.retryAt && (!this.probing || now - this.probing.since >= PROBE_MS)
  }

  /** Nothing is held against it any longer, so that it can be forgotten. */
  isCalm(now: number): boolean {
    return !this.open && this.row === 0 && now - this.failedAt >= CALM_MS
  }

  /** Whether the last failures were of that kind, and so many in a row that they are no chance. */
  isRow(evidence: Evidence): boolean {
    return this.rowOf === evidence && this.row >= this.needed(evidence)
  }

  enter(now: number): Pass {
    const probe = this.open && this.allows(now)
    const pass = { since: now, probe }
    if (probe) this.probing = pass
    return pass
  }

  /** The attempt ended in a way that says nothing. */
  leave(pass: Pass): void {
    if (this.probing === pass) this.probing = undefined
  }

  succeed(pass: Pass, now: number): Transition | undefined {
    this.leave(pass)
    if (this.isLate(pass)) return undefined
    this.interrupt(now)
    if (!this.open) return undefined
    this.open = false
    this.closedAt = now
    return 'closed'
  }

  /** An outcome that is none of the failures counted here: a row of them is over. It closes nothing. */
  interrupt(now: number): void {
    this.endRow()
    this.history.remember(undefined, 1)
    this.history.sample(false, now)
  }

  fail(
    pass: Pass,
    evidence: Evidence,
    { now, reason, retryAfterMs, random }: { now: number; reason: string; retryAfterMs?: number; random: number },
  ): Transition | undefined {
    this.leave(pass)
    this.failedAt = now
    if (this.rowOf !== evidence) this.endRow()
    this.rowOf = evidence
    this.row += 1
    this.history.sample(RATED.has(evidence), now)
    if (retryAfterMs !== undefined && evidence === 'limited') {
      return this.trip(evidence, { now, reason, until: now + Math.min(retryAfterMs, RETRY_AFTER_MAX_MS) })
    }
    if (this.open) return this.isLate(pass) ? undefined : this.trip(evidence, { now, reason, random })
    const { samples, failed } = this.history.minute(now)
    const often = RATED.has(evidence) && samples >= SAMPLES_MIN && failed >= samples * FAILED_SHARE
    return often || this.isRow(evidence) ? this.trip(evidence, { now, reason, random }) : undefined
  }

  /** An attempt that began before the circuit opened knows nothing new about it. */
  private isLate(pass: Pass): boolean {
    return this.open && !pass.probe && pass.since < this.openedAt
  }

  private trip(
    evidence: Evidence,
    { now, reason, random = 0.5, until }: { now: number; reason: string; random?: number; until?: number },
  ): Transition {
    const wasOpen = this.open
    if (!wasOpen) {
      this.openedAt = now
      if (now - this.closedAt >= CALM_MS) this.level = 0
    }
    if (until === undefined) {
      const lasts = Math.min(OPEN_MS * 2 ** this.level, OPEN_MAX_MS) * (1 - JITTER + 2 * JITTER * random)
      this.retryAt = Math.max(this.open ? this.retryAt : 0, now + lasts)
      this.level = Math.min(this.level + 1, 10)
    } else {
      this.retryAt = Math.max(wasOpen ? this.retryAt : 0, until)
    }
    this.open = true
    this.evidence = evidence
    this.reason = reason
    return wasOpen ? 'reopened' : 'opened'
  }

  private needed(evidence: Evidence): number {
    const share = this.history.share(evidence)
    const unlikely = share > 0 ? Math.ceil(Math.log(CHANCE_MAX) / Math.log(share)) : 0
    return Math.min(Math.max(IN_A_ROW[evidence], unlikely), IN_A_ROW_MAX)
  }

  private endRow(): void {
    if (this.rowOf) this.history.remember(this.rowOf, this.row)
    this.row = 0
    this.rowOf = undefined
  }
}
