import type { LiveChannel } from '../routing/directory.ts'
import { describeFailure } from '../status/test-decision.ts'
import { Circuit, type Pass, type Transition } from './circuit.ts'
import {
  classifyFailure,
  type FailedAttempt,
  type FailureClass,
  type FailureSignal,
  mayRejectAccount,
} from './classify-failure.ts'
import { type Attempt, RelayHealth } from './relay-health.ts'
import type { RequestEcho } from './request-echo.ts'
import { RetryBudgets } from './retry-budget.ts'
import { sanitizeText } from './sanitize-text.ts'
import { type CircuitQuery, type CircuitScope, type CircuitSubject, type Subjects, targetOf } from './subjects.ts'
import { secondsUntil, UnavailableCache } from './unavailable-cache.ts'

/** A change of a circuit. `forgotten`: the open circuit was deleted without a success, such as after an edit. */
export interface CircuitChange {
  readonly channelId: number
  readonly scope: CircuitScope
  /** Model, digest of a key, or both (rate limit of a key and model); '' for the channel. */
  readonly subject: string
  readonly transition: Transition | 'forgotten'
  readonly cause: FailureSignal
  readonly reason: string
  /** Times of the opening, of the next probe and of this change, in Unix milliseconds. */
  readonly openedAt: number
  readonly retryAt: number
  readonly at: number
}

/** An account that the upstream rejects, after a series of account failures. */
export interface LostAccount {
  readonly channel: LiveChannel
  /** Digest of the key, if the channel has a ring. */
  readonly key: string | undefined
  readonly reason: string
}

interface HealthParts {
  /** Returns the current channel with this id. */
  find(id: number): LiveChannel | undefined
  /** Phrases that mean a lost account, one per line. */
  keywords(): string
  onChange(change: CircuitChange): void
  onLost(lost: LostAccount): void
  /** Returns the time in Unix milliseconds. */
  now(): number
  random(): number
}

/** Why channels are unavailable: whether all are rate-limited, and the seconds until one of them may be used. */
export interface Unavailable {
  readonly limited: boolean
  readonly seconds: number
}

const CIRCUITS_MAX = 50_000
/** Maximum number of circuits per channel for model names that clients may have invented. */
const INVENTED_MAX = 100
const REASON_LENGTH_MAX = 500
const AFTER_EDIT = 'forgotten after an edit'
const TOO_MANY = 'forgotten: too many circuits'

interface ChannelCircuits {
  channel: LiveChannel
  readonly circuits: Map<string, Pick<CircuitSubject, 'scope' | 'subject' | 'invented'> & { readonly circuit: Circuit }>
}

/** The health of upstreams according to this process: circuits of recent failures, and retry budgets. */
export class ChannelHealth {
  private readonly entries = new Map<number, ChannelCircuits>()
  private readonly budgets = new RetryBudgets()
  private readonly origins = new WeakMap<LiveChannel, string>()
  private readonly unavailableCache = new UnavailableCache()
  private count = 0
  /** Increases whenever a circuit may allow more requests. */
  private version = 0

  constructor(private readonly parts: HealthParts) {}

  /** Returns the number of open circuits by scope. */
  openCircuits(): ReadonlyMap<CircuitScope, number> {
    const counts = new Map<CircuitScope, number>()
    for (const { circuits } of this.entries.values()) {
      for (const { scope, circuit } of circuits.values()) {
        if (circuit.open) counts.set(scope, (counts.get(scope) ?? 0) + 1)
      }
    }
    return counts
  }

  /** Returns the health of upstreams as one relay sees it, from its first attempt to its last. */
  begin(wanted: CircuitQuery): RelayHealth {
    return new RelayHealth(wanted, this, this.budgets)
  }

  now(): number {
    return this.parts.now()
  }

  /** Returns the host of a channel. A channel without an address counts as its own host. */
  originOf(channel: LiveChannel): string {
    let origin = this.origins.get(channel)
    if (origin === undefined) {
      origin = URL.canParse(channel.baseUrl) ? new URL(channel.baseUrl).host : `channel ${channel.id}`
      this.origins.set(channel, origin)
    }
    return origin
  }

  /** Returns whether all circuits allow an attempt. With a ring, `key` is the digest of the key to use. */
  allows({ id }: LiveChannel, subjects: Subjects, key?: string): boolean {
    const entry = this.entries.get(id)
    if (!entry) return true
    const now = this.parts.now()
    return subjects.of(key).every(({ name }) => entry.circuits.get(name)?.circuit.allows(now) ?? true)
  }

  /**
   * Returns why these channels are unavailable, and for how long (at least one second). If `channels` are all channels
   * of a pool, pass the pool too, so that the result is cached briefly.
   */
  unavailability(channels: Iterable<LiveChannel>, subjects: Subjects, pool?: object): Unavailable {
    const now = this.parts.now()
    let limited = true
    let isAllBlocked = true
    let retryAt = Number.POSITIVE_INFINITY
    for (const channel of channels) {
      const circuits = this.entries.get(channel.id)?.circuits
      for (const key of channel.ring?.usable.map(({ keyName }) => keyName.digest) ?? [undefined]) {
        const blocking: Circuit[] = []
        for (const { name } of subjects.of(key)) {
          const circuit = circuits?.get(name)?.circuit
          if (circuit && !circuit.allows(now)) blocking.push(circuit)
        }
        if (blocking.length === 0) {
          isAllBlocked = false
          continue
        }
        limited &&= blocking.some(({ cause }) => cause === 'limited')
        retryAt = Math.min(retryAt, Math.max(...blocking.map((circuit) => circuit.retryAt)))
      }
    }
    limited &&= Number.isFinite(retryAt)
    if (pool && isAllBlocked)
      this.unavailableCache.keep(pool, subjects.circuitsKey, { limited, retryAt, version: this.version }, now)
    return { limited, seconds: secondsUntil(retryAt, now) }
  }

  /** Returns the cached result for a pool without usable channels, or undefined. */
  cachedUnavailability(pool: object, subjects: Subjects): Unavailable | undefined {
    if (!this.unavailableCache.has(pool)) return undefined
    return this.unavailableCache.find(pool, subjects.circuitsKey, { now: this.parts.now(), version: this.version })
  }

  /** Begins an attempt. Returns the passes with which the attempt must end, or undefined if there are no circuits. */
  enter({ id }: LiveChannel, subjects: Subjects, key: string | undefined): Map<Circuit, Pass> | undefined {
    const entry = this.entries.get(id)
    if (!entry) return undefined
    const now = this.parts.now()
    const passes = new Map<Circuit, Pass>()
    for (const { name } of subjects.of(key)) {
      const circuit = entry.circuits.get(name)?.circuit
      if (circuit) passes.set(circuit, circuit.enter(now))
    }
    return passes
  }

  /** Deletes circuits of disabled keys, and of channels with an edited upstream or status. Undefined ids mean all. */
  forgetEdited(ids: readonly number[] | undefined): void {
    for (const id of ids ?? [...this.entries.keys()]) {
      const entry = this.entries.get(id)
      if (!entry) continue
      const channel = this.parts.find(id)
      if (channel && sameUpstream(channel, entry.channel) && channel.status === entry.channel.status) {
        entry.channel = channel
        this.forgetKeys(entry)
      } else this.forget(id, entry, AFTER_EDIT)
    }
  }

  succeeded(attempt: Attempt): void {
    const entry = this.entries.get(attempt.channel.id)
    if (!entry) return
    const now = this.parts.now()
    for (const { scope, name, subject } of attempt.subjects.of(attempt.key)) {
      const circuit = entry.circuits.get(name)?.circuit
      if (!circuit) continue
      const end = () => circuit.succeed(attempt.passOf(circuit), now)
      this.notify(attempt.channel, scope, subject, circuit, this.changeCircuit(circuit, end))
      if (circuit.isCalm(now) && entry.circuits.delete(name)) this.count -= 1
    }
    if (entry.circuits.size === 0) this.entries.delete(attempt.channel.id)
  }

  /** Ends an attempt without information about health. */
  abandoned(passes: Iterable<[Circuit, Pass]>): void {
    for (const [circuit, pass] of passes) this.changeCircuit(circuit, () => circuit.leave(pass))
  }

  /** Records a failed attempt. Returns its class. */
  failed(attempt: Attempt, failure: FailedAttempt, requestEcho: () => RequestEcho): FailureClass {
    const { channel, subjects, key } = attempt
    const keywords = this.parts.keywords()
    const failureClass = classifyFailure(failure, { type: channel.type.type, keywords, requestEcho })
    const current = this.parts.find(channel.id)
    // Ignore the failure if the channel was changed or disabled during the attempt.
    if (!current || current.status !== channel.status || !sameUpstream(current, channel)) return failureClass
    const target = failureClass === 'request' ? undefined : targetOf(failureClass, key)
    const now = this.parts.now()
    const entry = target ? this.circuitsFor(current) : this.entries.get(channel.id)
    for (const each of subjects.of(key)) {
      const { scope, name, subject } = each
      const circuit = target === scope && entry ? this.circuitOf(entry, each) : entry?.circuits.get(name)?.circuit
      if (!circuit) continue
      const pass = attempt.passOf(circuit)
      if (failureClass !== 'request' && target === scope) {
        const reason = sanitizeText(describeFailure(failure)).slice(0, REASON_LENGTH_MAX)
        const { retryAfterMs } = failure
        const details = {
          now,
          reason,
          random: this.parts.random(),
          ...(retryAfterMs !== undefined && { retryAfterMs }),
        }
        this.notify(channel, scope, subject, circuit, circuit.fail(pass, failureClass, details))
        if (failureClass === 'account' && circuit.isSignificantSeries(failureClass))
          this.parts.onLost({ channel: current, key, reason })
      } else if (circuit.open && !failure.neverSent && disproves(failureClass, circuit.cause, failure)) {
        const transition = this.changeCircuit(circuit, () => circuit.succeed(pass, now))
        this.notify(channel, scope, subject, circuit, transition)
      } else {
        this.changeCircuit(circuit, () => circuit.leave(pass))
        if (failureClass !== 'request' && !circuit.open && (scope === 'channel' || scope === 'key'))
          circuit.interrupt(now)
      }
    }
    return failureClass
  }

  private circuitsFor(channel: LiveChannel): ChannelCircuits {
    const existing = this.entries.get(channel.id)
    if (existing) return existing
    const entry: ChannelCircuits = { channel, circuits: new Map() }
    this.entries.set(channel.id, entry)
    return entry
  }

  private circuitOf(entry: ChannelCircuits, { scope, name, subject, invented = false }: CircuitSubject): Circuit {
    const existing = entry.circuits.get(name)
    if (existing) return existing.circuit
    if (this.count >= CIRCUITS_MAX) {
      const [oldest] = this.entries
      if (oldest && oldest[1] !== entry) this.forget(...oldest, TOO_MANY)
    }
    if (invented) this.makeRoom(entry)
    const circuit = new Circuit()
    entry.circuits.set(name, { scope, subject, invented, circuit })
    this.count += 1
    return circuit
  }

  /** Deletes the oldest circuit for an invented name if there are too many. Circuits for other names stay. */
  private makeRoom(entry: ChannelCircuits): void {
    const invented = [...entry.circuits.keys()].filter((name) => entry.circuits.get(name)?.invented)
    const [oldest] = invented
    if (oldest !== undefined && invented.length >= INVENTED_MAX) this.drop(entry, oldest, TOO_MANY)
  }

  /** Deletes a circuit. If the circuit is open, reports the change with this reason. */
  private drop({ channel, circuits }: ChannelCircuits, name: string, why: string): void {
    const dropped = circuits.get(name)
    if (!dropped) return
    circuits.delete(name)
    this.count -= 1
    this.version += 1
    const { scope, subject, circuit } = dropped
    if (circuit.open) this.notify(channel, scope, subject, { ...circuit, reason: why }, 'forgotten')
  }

  /** Runs a change of a circuit. Increases the version if the circuit allows attempts again. */
  private changeCircuit<T>(circuit: Circuit, act: () => T): T {
    const now = this.parts.now()
    const wasBlocking = !circuit.allows(now)
    const result = act()
    if (wasBlocking && circuit.allows(now)) this.version += 1
    return result
  }

  private forget(id: number, entry: ChannelCircuits, why: string): void {
    this.entries.delete(id)
    for (const name of entry.circuits.keys()) this.drop(entry, name, why)
  }

  /** Deletes the circuits of disabled keys, which get no more requests. */
  private forgetKeys(entry: ChannelCircuits): void {
    const { channel, circuits } = entry
    if (!channel.ring) return
    const usable = new Set(channel.ring.usable.map(({ keyName }) => keyName.digest))
    for (const [name, { scope, subject }] of circuits) {
      const [key = ''] = subject.split(' ')
      if ((scope === 'key' || scope === 'limit') && !usable.has(key)) this.drop(entry, name, AFTER_EDIT)
    }
  }

  private notify(
    { id }: LiveChannel,
    scope: CircuitScope,
    subject: string,
    { cause, reason, openedAt, retryAt }: Pick<Circuit, 'cause' | 'reason' | 'openedAt' | 'retryAt'>,
    transition: CircuitChange['transition'] | undefined,
  ): void {
    if (transition) {
      this.parts.onChange({
        channelId: id,
        scope,
        subject,
        transition,
        cause,
        reason,
        openedAt,
        retryAt,
        at: this.parts.now(),
      })
    }
  }
}

/**
 * Returns whether a failure disproves the cause of an open circuit. A failure of another class shows that the upstream
 * is reachable. A request error shows that the account is accepted, because upstreams check the account first.
 */
function disproves(failureClass: FailureClass, evidence: FailureSignal, failure: FailedAttempt): boolean {
  if (evidence === 'unreachable') return true
  return evidence === 'account' && failureClass === 'request' && !mayRejectAccount(failure)
}

/** Returns whether two channels are the same for the upstream, so that findings about one apply to the other. */
function sameUpstream(one: LiveChannel, other: LiveChannel): boolean {
  // Copies of one channel share its ring, and differ only in the chosen key.
  return one === other || (one.ring !== undefined && one.ring === other.ring) || signatureOf(one) === signatureOf(other)
}

function signatureOf(channel: LiveChannel): string {
  const { type, key, ring, baseUrl, other, organization, models, modelMapping, settings } = channel
  const keys = ring?.texts ?? key
  return JSON.stringify([type.type, keys, baseUrl, other, organization, models, modelMapping, settings])
}
