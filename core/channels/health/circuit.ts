import type { Evidence } from './evidence.ts'
import { History } from './history.ts'

/**
 * A circuit keeps attempts away from what has been seen to fail. Closed: everything passes. Open: nothing passes until
 * `retryAt`. From then on one attempt at a time is let through as a probe; its success closes the circuit, its failure opens it
 * for longer.
 *
 * A limit is another matter: whoever is at one is well, and does as much as it can. From `retryAt` on everybody is let through,
 * and the first success closes. Before that each success of what was under way makes room for one more, since the limit may be
 * of how many it takes at once; not any more when one of those is limited, too: then it is of how many in a minute.
 *
 * How many failures in a row are enough. 3 for a model that is not there: the answer says so itself. 3 for a limit without a
 * time. 5 for an account that is refused, and for a host that nobody reaches: the next request may be lucky with another
 * address, a third will not. 10 for errors of the server, which come and go. Only a success ends a row of refusals of an
 * account: whoever is limited or fails between has not looked at the key.
 *
 * Such a row comes about by chance as well. An upstream that fails 30 % of the time makes 5 in a row once in 600 requests,
 * and 10 in a row once in 240 000. So a row counts for what it is unlikely to be: where the same failure was seen between
 * successes before, with a share p of the attempts, the row must be so long that p^n is below one in ten million, though 12 are
 * always enough (0.3^12 is one in two million). Simulated: with 30 % of failures in five ways, one in a thousand runs of 20 000
 * attempts opens a circuit at all, for a second; with 30 % of one kind, one in a million attempts does. For an account 5 always
 * open, so that a bad key is out however well it was before; it is lost, though, only with the longer row. With 6 % of refusals
 * among 24 % of other failures one in 23 runs of 20 000 attempts so opens a circuit, for a second (0.079^5 for each success),
 * and none in 4 000 loses an account.
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
/** For a limit without a time: everybody comes at the end of it, so it need not be long. */
export const LIMITED_MAX_MS = 5000
export const RETRY_AFTER_MAX_MS = 600_000
const JITTER = 0.2
/** An opening so long after the last is the first again. */
const CALM_MS = 600_000
/** A probe that has not ended by then is no longer waited for: another goes. A slow request must not keep all others away. */
export const PROBE_MS = 3000

/** What one attempt means to one circuit. */
export interface Pass {
  readonly since: number
  readonly probe: boolean
  /** Let through in spite of a limit, in the place of one that has ended. */
  readonly inRoom?: boolean
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
  /** How many more may pass in spite of a limit; undefined: room does not help. */
  private room: number | undefined = 0
  private readonly rows: Partial<Record<Evidence, number>> = {}
  private failedAt = 0
  private readonly history = new History()

  /** Whether an attempt may be made now. */
  allows(now: number): boolean {
    // A clock that was put back would keep it open for as long.
    if (!this.open || now < this.openedAt) return true
    if (this.evidence === 'limited') return now >= this.retryAt || (this.room ?? 0) > 0
    return now >= this.retryAt && (!this.probing || now - this.probing.since >= PROBE_MS)
  }

  /** Nothing is held against it any longer, so that it can be forgotten. */
  isCalm(now: number): boolean {
    return !this.open && Object.keys(this.rows).length === 0 && now - this.failedAt >= CALM_MS
  }

  /** Whether so many of the last failures were of that kind that they are no chance. */
  isRow(evidence: Evidence): boolean {
    return this.rowOf(evidence) >= this.unlikely(evidence)
  }

  enter(now: number): Pass {
    if (!this.open || !this.allows(now)) return { since: now, probe: false }
    if (this.evidence !== 'limited') {
      this.probing = { since: now, probe: true }
      return this.probing
    }
    const inRoom = this.isLimited(now)
    if (inRoom && this.room) this.room -= 1
    return { since: now, probe: false, inRoom }
  }

  /** The attempt ended in a way that says nothing. Answers whether others may pass in its place. */
  leave(pass: Pass): boolean {
    if (pass.inRoom) this.makeRoom()
    if (this.probing === pass) this.probing = undefined
    return this.open && (pass.probe || pass.inRoom === true)
  }

  succeed(pass: Pass, now: number): Transition | undefined {
    if (this.probing === pass) this.probing = undefined
    if (this.isLimited(now) && (pass.inRoom || pass.since < this.openedAt)) {
      this.makeRoom()
      return undefined
    }
    if (this.isLate(pass) && this.evidence !== 'limited') return undefined
    this.endRow('account')
    this.end('success', now)
    if (!this.open) return undefined
    this.open = false
    this.closedAt = now
    return 'closed'
  }

  /** An outcome that is none of the failures counted here: a row of them is over, but for one that needs a success. */
  interrupt(now: number): void {
    this.end('other', now)
  }

  fail(
    pass: Pass,
    evidence: Evidence,
    { now, reason, retryAfterMs, random }: { now: number; reason: string; retryAfterMs?: number; random: number },
  ): Transition | undefined {
    if (this.probing === pass) this.probing = undefined
    const limited = evidence === 'limited'
    // "Come at once" is no reason to stay away.
    if (limited && retryAfterMs === 0) return undefined
    if (limited && pass.inRoom) this.room = undefined
    this.failedAt = now
    this.endRows(evidence)
    this.rows[evidence] = this.rowOf(evidence) + 1
    this.history.sample(RATED.has(evidence), now)
    if (limited && retryAfterMs !== undefined) {
      return this.trip(evidence, { now, reason, until: now + Math.min(retryAfterMs, RETRY_AFTER_MAX_MS) })
    }
    if (this.open) {
      // All that came when a limit's time was over are told the same.
      const known = this.isLate(pass) || (limited && this.isLimited(now))
      return known ? undefined : this.trip(evidence, { now, reason, random })
    }
    const { samples, failed } = this.history.minute(now)
    const often = RATED.has(evidence) && samples >= SAMPLES_MIN && failed >= samples * FAILED_SHARE
    const enough = evidence === 'account' ? IN_A_ROW.account : this.unlikely(evidence)
    return often || this.rowOf(evidence) >= enough ? this.trip(evidence, { now, reason, random }) : undefined
  }

  private end(as: 'success' | 'other', now: number): void {
    this.endRows()
    this.history.remember(as, 1)
    this.history.sample(false, now)
  }

  /** An attempt that began before the circuit opened knows nothing new about it. */
  private isLate(pass: Pass): boolean {
    return this.open && !pass.probe && pass.since < this.openedAt
  }

  /** At a limit whose time is not over. */
  private isLimited(now: number): boolean {
    return this.open && this.evidence === 'limited' && now >= this.openedAt && now < this.retryAt
  }

  private makeRoom(): void {
    if (this.room !== undefined) this.room += 1
  }

  private trip(
    evidence: Evidence,
    { now, reason, random = 0.5, until }: { now: number; reason: string; random?: number; until?: number },
  ): Transition {
    const wasOpen = this.open
    if (!wasOpen) {
      this.openedAt = now
      this.room = 0
      if (now - this.closedAt >= CALM_MS) this.level = 0
    }
    if (until === undefined) {
      const max = evidence === 'limited' ? LIMITED_MAX_MS : OPEN_MAX_MS
      const lasts = Math.min(OPEN_MS * 2 ** this.level, max) * (1 - JITTER + 2 * JITTER * random)
      this.retryAt = Math.max(this.open ? this.retryAt : 0, now + lasts)
      // A short row of refusals may be chance: that must not add up.
      if (evidence !== 'account' || this.isRow(evidence)) this.level = Math.min(this.level + 1, 10)
    } else {
      this.retryAt = Math.max(wasOpen ? this.retryAt : 0, until)
    }
    this.open = true
    this.evidence = evidence
    this.reason = reason
    return wasOpen ? 'reopened' : 'opened'
  }

  /** How long a row must be to be no chance. */
  private unlikely(evidence: Evidence): number {
    const { history } = this
    const share = evidence === 'account' ? history.shareBesideSuccesses(evidence) : history.share(evidence)
    const unlikely = share > 0 ? Math.ceil(Math.log(CHANCE_MAX) / Math.log(share)) : 0
    return Math.min(Math.max(IN_A_ROW[evidence], unlikely), IN_A_ROW_MAX)
  }

  private rowOf(evidence: Evidence): number {
    return this.rows[evidence] ?? 0
  }

  /** All of them but one's own, and that of the account. */
  private endRows(but?: Evidence): void {
    for (const kind of Object.keys(this.rows) as Evidence[]) {
      if (kind !== but && kind !== 'account') this.endRow(kind)
    }
  }

  private endRow(kind: Evidence): void {
    this.history.remember(kind, this.rowOf(kind))
    delete this.rows[kind]
  }
}
