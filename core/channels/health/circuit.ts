import type { FailureSignal } from './classify-failure.ts'
import { History } from './history.ts'

/**
 * A circuit prevents attempts at a target that has failed repeatedly. Closed: all attempts are allowed. Open: none before
 * `retryAt`; from then on one attempt at a time is a probe. Its success closes the circuit, its failure keeps it open for longer.
 *
 * A rate limit is different: a limited upstream is healthy. From `retryAt` on every request is allowed, and the first success
 * closes. Before that, each success of a request already in progress allows one more, since the limit may be on concurrent
 * requests; but no longer if one of those is limited too: then it is a limit per minute.
 *
 * The number of consecutive failures that opens a circuit: 3 for a missing model, which the reply states. 3 for a limit without a
 * time. 5 for a rejected account, and for an unreachable host: the next request may succeed with another address, a third will
 * not. 10 for server errors, which are often temporary. Only a success ends a series of account rejections: an upstream that is
 * limited or fails has not checked the key.
 *
 * A series may also be chance. An upstream that fails 30 % of the time has 5 in a row once in 600 requests, and 10 in a row once
 * in 240 000. So the required length depends on its probability: if the same failure had a share p of the earlier attempts, the
 * series must be so long that p^n is below one in ten million, though 12 are always enough (0.3^12 is one in two million).
 * Simulated: with 30 % of failures in five kinds, one in a thousand runs of 20 000 attempts opens a circuit at all, for a second;
 * with 30 % of one kind, one in a million attempts does. For an account 5 always open, so that a bad key is unused despite its
 * history; but it is reported lost only after the longer series. With 6 % of rejections among 24 % of other failures one in 23
 * runs of 20 000 attempts so opens a circuit, for a second (0.079^5 for each success), and none in 4 000 loses an account.
 *
 * The share of failures in the last minute opens for frequent but not consecutive failures: 60 % of at least 80 attempts. An
 * upstream that fails 30 % of the time reaches that once in 30 million minutes (binomial tail 3e-8); with 20 attempts it would be
 * once in 200.
 */
const IN_A_ROW: Record<FailureSignal, number> = { account: 5, unreachable: 5, model: 3, limited: 3, server: 10 }
const IN_A_ROW_MAX = 12
const CHANCE_MAX = 1e-7
const RATED: ReadonlySet<FailureSignal> = new Set(['server', 'model', 'unreachable'])
const SAMPLES_MIN = 80
const FAILED_SHARE = 0.6

export const OPEN_MS = 1000
export const OPEN_MAX_MS = 60_000
/** For a limit without a time: all requests are allowed at its end, so it may be short. */
export const LIMITED_MAX_MS = 5000
export const RETRY_AFTER_MAX_MS = 600_000
const JITTER = 0.2
/** An opening this long after the last one counts as the first. */
const CALM_MS = 600_000
/** After this time another probe is allowed: a slow request must not block all others. */
export const PROBE_MS = 3000

/** One attempt's pass through one circuit. */
export interface Pass {
  readonly since: number
  readonly probe: boolean
  /** Allowed despite a limit, in the place of an attempt that has ended. */
  readonly isSpareAttempt?: boolean
}

/** `reopened`: it was open, and stays open for longer. */
export type Transition = 'opened' | 'reopened' | 'closed'

/** Times are in milliseconds of one clock. `random` is uniform in [0, 1). */
export class Circuit {
  open = false
  /** For an open circuit: the cause and time of its opening. */
  evidence: FailureSignal = 'server'
  reason = ''
  openedAt = 0
  retryAt = 0
  /** Number of openings without ten calm minutes between them. */
  private backoffLevel = 0
  private closedAt = Number.NEGATIVE_INFINITY
  /** Start of the present waiting time, which may be long after the opening. */
  private waitStartedAt = 0
  private probing: Pass | undefined
  /** How many more attempts are allowed despite a limit; undefined: it is not a limit of concurrency. */
  private spareAttempts: number | undefined = 0
  private readonly series: Partial<Record<FailureSignal, number>> = {}
  private failedAt = 0
  private readonly history = new History()

  /** Whether an attempt is allowed now. */
  allows(now: number): boolean {
    // If the clock was set back, the circuit would stay open for as long.
    if (!this.open || now < this.openedAt) return true
    if (this.evidence === 'limited') return now >= this.retryAt || (this.spareAttempts ?? 0) > 0
    return now >= this.retryAt && (!this.probing || now - this.probing.since >= PROBE_MS)
  }

  /** Whether the circuit has no recent failures, so that it can be deleted. */
  isCalm(now: number): boolean {
    return !this.open && Object.keys(this.series).length === 0 && now - this.failedAt >= CALM_MS
  }

  /** Whether the series of these failures is too long for chance. */
  isSignificantSeries(evidence: FailureSignal): boolean {
    return this.seriesLength(evidence) >= this.requiredLength(evidence)
  }

  enter(now: number): Pass {
    if (!this.open || !this.allows(now)) return { since: now, probe: false }
    if (this.evidence !== 'limited') {
      this.probing = { since: now, probe: true }
      return this.probing
    }
    const isSpareAttempt = this.isLimited(now)
    if (isSpareAttempt && this.spareAttempts) this.spareAttempts -= 1
    return { since: now, probe: false, isSpareAttempt }
  }

  /** Ends an attempt without information about health: another attempt may take its place. */
  leave(pass: Pass): void {
    if (pass.isSpareAttempt) this.addSpareAttempt()
    if (this.probing === pass) this.probing = undefined
  }

  succeed(pass: Pass, now: number): Transition | undefined {
    if (this.probing === pass) this.probing = undefined
    if (this.isLimited(now) && (pass.isSpareAttempt || pass.since < this.waitStartedAt)) {
      this.addSpareAttempt()
      return undefined
    }
    if (this.isLate(pass) && this.evidence !== 'limited') return undefined
    this.endSeries('account')
    this.end('success', now)
    if (!this.open) return undefined
    this.open = false
    this.closedAt = now
    return 'closed'
  }

  /** Records an outcome not counted here: it ends all series except that of the account. */
  interrupt(now: number): void {
    this.end('other', now)
  }

  fail(
    pass: Pass,
    evidence: FailureSignal,
    { now, reason, retryAfterMs, random }: { now: number; reason: string; retryAfterMs?: number; random: number },
  ): Transition | undefined {
    if (this.probing === pass) this.probing = undefined
    const limited = evidence === 'limited'
    // A retry time of 0 does not open the circuit.
    if (limited && retryAfterMs === 0) return undefined
    if (limited && pass.isSpareAttempt) this.spareAttempts = undefined
    this.failedAt = now
    this.endOtherSeries(evidence)
    this.series[evidence] = this.seriesLength(evidence) + 1
    this.history.sample(RATED.has(evidence), now)
    if (limited && retryAfterMs !== undefined) {
      return this.trip(evidence, { now, reason, until: now + Math.min(retryAfterMs, RETRY_AFTER_MAX_MS) })
    }
    if (this.open) {
      // Late failures, and further ones during a limit, are already known.
      const known = this.isLate(pass) || (limited && this.isLimited(now))
      return known ? undefined : this.trip(evidence, { now, reason, random })
    }
    const { samples, failed } = this.history.minute(now)
    const often = RATED.has(evidence) && samples >= SAMPLES_MIN && failed >= samples * FAILED_SHARE
    const enough = evidence === 'account' ? IN_A_ROW.account : this.requiredLength(evidence)
    return often || this.seriesLength(evidence) >= enough ? this.trip(evidence, { now, reason, random }) : undefined
  }

  private end(as: 'success' | 'other', now: number): void {
    this.endOtherSeries()
    this.history.remember(as, 1)
    this.history.sample(false, now)
  }

  /** Whether an attempt began before the circuit opened, and so has no new information. */
  private isLate(pass: Pass): boolean {
    return this.open && !pass.probe && pass.since < this.openedAt
  }

  /** Whether a limit is in force. */
  private isLimited(now: number): boolean {
    return this.open && this.evidence === 'limited' && now >= this.openedAt && now < this.retryAt
  }

  private addSpareAttempt(): void {
    if (this.spareAttempts !== undefined) this.spareAttempts += 1
  }

  private trip(
    evidence: FailureSignal,
    { now, reason, random = 0.5, until }: { now: number; reason: string; random?: number; until?: number },
  ): Transition {
    const wasOpen = this.open
    if (!wasOpen || now >= this.retryAt) {
      this.waitStartedAt = now
      this.spareAttempts = 0
    }
    if (!wasOpen) {
      this.openedAt = now
      if (now - this.closedAt >= CALM_MS) this.backoffLevel = 0
    }
    if (until === undefined) {
      const max = evidence === 'limited' ? LIMITED_MAX_MS : OPEN_MAX_MS
      const lasts = Math.min(OPEN_MS * 2 ** this.backoffLevel, max) * (1 - JITTER + 2 * JITTER * random)
      this.retryAt = Math.max(this.open ? this.retryAt : 0, now + lasts)
      // A short series of rejections may be chance: it must not raise the level.
      if (evidence !== 'account' || this.isSignificantSeries(evidence))
        this.backoffLevel = Math.min(this.backoffLevel + 1, 10)
    } else {
      this.retryAt = Math.max(wasOpen ? this.retryAt : 0, until)
    }
    this.open = true
    this.evidence = evidence
    this.reason = reason
    return wasOpen ? 'reopened' : 'opened'
  }

  /** Returns how long a series must be to exclude chance. */
  private requiredLength(evidence: FailureSignal): number {
    const { history } = this
    const share = evidence === 'account' ? history.shareBesideSuccesses(evidence) : history.share(evidence)
    const improbableLength = share > 0 ? Math.ceil(Math.log(CHANCE_MAX) / Math.log(share)) : 0
    return Math.min(Math.max(IN_A_ROW[evidence], improbableLength), IN_A_ROW_MAX)
  }

  private seriesLength(evidence: FailureSignal): number {
    return this.series[evidence] ?? 0
  }

  /** Ends all series except `but` and that of the account. */
  private endOtherSeries(but?: FailureSignal): void {
    for (const kind of Object.keys(this.series) as FailureSignal[]) {
      if (kind !== but && kind !== 'account') this.endSeries(kind)
    }
  }

  private endSeries(kind: FailureSignal): void {
    this.history.remember(kind, this.seriesLength(kind))
    delete this.series[kind]
  }
}
