import { keysOf } from '../../records.ts'
import type { FailureSignal } from './classify-failure.ts'
import { History } from './history.ts'

/**
 * A circuit prevents attempts at a target that has failed repeatedly. A closed circuit allows all attempts. An open
 * circuit allows none before `retryAt`. After `retryAt`, it allows one attempt at a time, as a probe. A successful
 * probe closes the circuit. A failed probe keeps it open for longer.
 *
 * Rate limits are different, because a limited upstream is healthy. From `retryAt` on, every attempt is allowed, and
 * the first success closes the circuit. Before `retryAt`, each success of an attempt in progress allows one more
 * attempt, because the upstream may limit concurrent requests. If the upstream rejects this attempt too, the limit is
 * per minute. Then no more attempts are allowed before `retryAt`.
 *
 * Series of consecutive failures open a circuit (IN_A_ROW):
 * - 3 failures for a missing model, and for a limit without a retry time
 * - 5 failures for an account, and for an unreachable host, because the next request may use another address of the
 * host
 * - 10 failures for server errors, which are often temporary
 *
 * Only a success ends a series of account rejections. Limits and other failures do not end it, because the upstream may
 * not have checked the key.
 *
 * A series may also be chance, so the required number depends on the history. Let p be the frequency of this kind of
 * failure among earlier attempts. A series of n failures opens the circuit if p^n is below one in ten million. 12
 * failures always suffice. In simulations with 30 % of failures in five kinds, one in a thousand runs of 20 000
 * attempts opened a circuit, for one second.
 *
 * 5 account rejections in a row always open the circuit, so that the gateway stops using a bad key. But the account is
 * reported as lost only after a series of the required length. In simulations with 6 % of rejections and 24 % of other
 * failures, no run lost an account.
 *
 * A circuit also opens if 60 % of at least 80 attempts in the last minute failed, not counting limits and account
 * rejections. An upstream that fails 30 % of the time reaches this rate once in 30 million minutes. With a minimum of
 * 20 attempts, it would reach the rate once in 200 minutes.
 */
const IN_A_ROW: Record<FailureSignal, number> = { account: 5, unreachable: 5, model: 3, limited: 3, server: 10 }
const IN_A_ROW_MAX = 12
const CHANCE_MAX = 1e-7
const RATE_SIGNALS: ReadonlySet<FailureSignal> = new Set(['server', 'model', 'unreachable'])
const SAMPLES_MIN = 80
const FAILURE_RATE_MIN = 0.6

export const OPEN_MS = 1000
export const OPEN_MAX_MS = 60_000
/** Maximum time for which a limit without a retry time blocks attempts. Short, because the upstream is healthy. */
const LIMITED_MAX_MS = 5000
export const RETRY_AFTER_MAX_MS = 600_000
const JITTER = 0.2
/** Time without an opening after which the back-off starts again with the shortest time. */
const CALM_MS = 600_000
/** Time after which another probe is allowed, so that a slow probe does not block all other attempts. */
export const PROBE_MS = 3000

/** One attempt, as one circuit counts it. */
export interface Pass {
  readonly since: number
  readonly probe: boolean
  /** Whether the attempt was allowed before `retryAt` of a limit, because another attempt had ended. */
  readonly isSpareAttempt?: boolean
}

/** `reopened` means that a failure keeps an open circuit open for longer. */
export type Transition = 'opened' | 'reopened' | 'closed'

/** A circuit for one target. Times are in milliseconds of one clock. `random` is uniform in [0, 1). */
export class Circuit {
  open = false
  /** Cause and time of the opening, for an open circuit. */
  cause: FailureSignal = 'server'
  reason = ''
  openedAt = 0
  retryAt = 0
  /** Number of openings without ten calm minutes between them. */
  private backoffLevel = 0
  private closedAt = Number.NEGATIVE_INFINITY
  /** Time when the current wait for `retryAt` began, which may be long after the opening. */
  private waitStartedAt = 0
  private probing: Pass | undefined
  /** Number of attempts still allowed before `retryAt` of a limit. Undefined for a limit per minute. */
  private spareAttempts: number | undefined = 0
  private readonly series: Partial<Record<FailureSignal, number>> = {}
  private failedAt = 0
  private readonly history = new History()

  /** Returns whether an attempt is allowed now. */
  allows(now: number): boolean {
    // Allow attempts if the clock was set back. Otherwise, the circuit would stay open for longer.
    if (!this.open || now < this.openedAt) return true
    if (this.cause === 'limited') return now >= this.retryAt || (this.spareAttempts ?? 0) > 0
    return now >= this.retryAt && (!this.probing || now - this.probing.since >= PROBE_MS)
  }

  /** Returns whether the circuit has no recent failures, so that it can be deleted. */
  isCalm(now: number): boolean {
    return !this.open && Object.keys(this.series).length === 0 && now - this.failedAt >= CALM_MS
  }

  /** Returns whether the series of these failures is too long to be chance. */
  isSignificantSeries(signal: FailureSignal): boolean {
    return this.seriesLength(signal) >= this.requiredLength(signal)
  }

  /** Begins an attempt and returns its pass. The caller must end it with `leave`, `succeed` or `fail`. */
  enter(now: number): Pass {
    if (!this.open || !this.allows(now)) return { since: now, probe: false }
    if (this.cause !== 'limited') {
      this.probing = { since: now, probe: true }
      return this.probing
    }
    const isSpareAttempt = this.isLimited(now)
    if (isSpareAttempt && this.spareAttempts) this.spareAttempts -= 1
    return { since: now, probe: false, isSpareAttempt }
  }

  /** Ends an attempt that says nothing about health. Another attempt may replace it as probe or spare attempt. */
  leave(pass: Pass): void {
    if (pass.isSpareAttempt) this.addSpareAttempt()
    if (this.probing === pass) this.probing = undefined
  }

  /** Records a success. Returns `closed` if it closes the circuit, else undefined. */
  succeed(pass: Pass, now: number): Transition | undefined {
    if (this.probing === pass) this.probing = undefined
    if (this.isLimited(now) && (pass.isSpareAttempt || pass.since < this.waitStartedAt)) {
      this.addSpareAttempt()
      return undefined
    }
    if (this.isLate(pass) && this.cause !== 'limited') return undefined
    this.endSeries('account')
    this.recordOutcome('success', now)
    if (!this.open) return undefined
    this.open = false
    this.closedAt = now
    return 'closed'
  }

  /** Records an outcome that this circuit does not count. It ends all series except account rejections. */
  interrupt(now: number): void {
    this.recordOutcome('other', now)
  }

  /** Records a failure. Returns its transition, or undefined. `reason` is shown to administrators. */
  fail(
    pass: Pass,
    signal: FailureSignal,
    { now, reason, retryAfterMs, random }: { now: number; reason: string; retryAfterMs?: number; random: number },
  ): Transition | undefined {
    if (this.probing === pass) this.probing = undefined
    const limited = signal === 'limited'
    // A retry time of 0 does not open the circuit.
    if (limited && retryAfterMs === 0) return undefined
    if (limited && pass.isSpareAttempt) this.spareAttempts = undefined
    this.failedAt = now
    this.endOtherSeries(signal)
    this.series[signal] = this.seriesLength(signal) + 1
    this.history.sample(RATE_SIGNALS.has(signal), now)
    if (limited && retryAfterMs !== undefined) {
      return this.trip(signal, { now, reason, until: now + Math.min(retryAfterMs, RETRY_AFTER_MAX_MS) })
    }
    if (this.open) {
      // Ignore late failures, and further failures during a limit: their cause is counted already.
      const isAlreadyCounted = this.isLate(pass) || (limited && this.isLimited(now))
      return isAlreadyCounted ? undefined : this.trip(signal, { now, reason, random })
    }
    const { samples, failed } = this.history.lastMinute(now)
    const isFrequent = RATE_SIGNALS.has(signal) && samples >= SAMPLES_MIN && failed >= samples * FAILURE_RATE_MIN
    const requiredFailures = signal === 'account' ? IN_A_ROW.account : this.requiredLength(signal)
    return isFrequent || this.seriesLength(signal) >= requiredFailures
      ? this.trip(signal, { now, reason, random })
      : undefined
  }

  private recordOutcome(outcome: 'success' | 'other', now: number): void {
    this.endOtherSeries()
    this.history.remember(outcome, 1)
    this.history.sample(false, now)
  }

  /** Returns whether an attempt began before the circuit opened. Its outcome is no new information. */
  private isLate(pass: Pass): boolean {
    return this.open && !pass.probe && pass.since < this.openedAt
  }

  /** Returns whether a limit is in effect. */
  private isLimited(now: number): boolean {
    return this.open && this.cause === 'limited' && now >= this.openedAt && now < this.retryAt
  }

  private addSpareAttempt(): void {
    if (this.spareAttempts !== undefined) this.spareAttempts += 1
  }

  private trip(
    signal: FailureSignal,
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
      const max = signal === 'limited' ? LIMITED_MAX_MS : OPEN_MAX_MS
      const durationMs = Math.min(OPEN_MS * 2 ** this.backoffLevel, max) * (1 - JITTER + 2 * JITTER * random)
      this.retryAt = Math.max(this.open ? this.retryAt : 0, now + durationMs)
      // A short series of rejections may be chance, so it must not make the next opening longer.
      if (signal !== 'account' || this.isSignificantSeries(signal))
        this.backoffLevel = Math.min(this.backoffLevel + 1, 10)
    } else {
      this.retryAt = Math.max(wasOpen ? this.retryAt : 0, until)
    }
    this.open = true
    this.cause = signal
    this.reason = reason
    return wasOpen ? 'reopened' : 'opened'
  }

  /** Returns the length that a series must have to exclude chance. */
  private requiredLength(signal: FailureSignal): number {
    const { history } = this
    const frequency = signal === 'account' ? history.frequencyWithoutOthers(signal) : history.frequency(signal)
    const improbableLength = frequency > 0 ? Math.ceil(Math.log(CHANCE_MAX) / Math.log(frequency)) : 0
    return Math.min(Math.max(IN_A_ROW[signal], improbableLength), IN_A_ROW_MAX)
  }

  private seriesLength(signal: FailureSignal): number {
    return this.series[signal] ?? 0
  }

  /** Ends all series except account rejections and failures of the kind `exceptKind`. */
  private endOtherSeries(exceptKind?: FailureSignal): void {
    for (const kind of keysOf(this.series)) {
      if (kind !== exceptKind && kind !== 'account') this.endSeries(kind)
    }
  }

  private endSeries(kind: FailureSignal): void {
    this.history.remember(kind, this.seriesLength(kind))
    delete this.series[kind]
  }
}
