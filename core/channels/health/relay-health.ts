import { chooseKey } from '../keys/key-ring.ts'
import type { LiveChannel } from '../routing/directory.ts'
import type { Circuit, Pass } from './circuit.ts'
import type { FailedAttempt } from './classify-failure.ts'
import type { ChannelHealth, Unavailable } from './health.ts'
import { NO_ECHO, type RequestEcho } from './request-echo.ts'
import type { RetryBudgets } from './retry-budget.ts'
import { type CircuitQuery, Subjects } from './subjects.ts'

/** Decides which channels all attempts of one relay may use, and records how the attempts end. */
export class RelayHealth {
  private readonly triedOrigins: string[] = []
  private readonly failingOrigins: string[] = []
  private readonly subjects: Subjects

  constructor(
    private readonly query: CircuitQuery,
    private readonly health: ChannelHealth,
    private readonly budgets: RetryBudgets,
  ) {
    this.subjects = new Subjects(query)
  }

  /** Returns whether a channel may be used now. If no key of several is chosen yet, one allowed key suffices. */
  allows(channel: LiveChannel): boolean {
    if (this.query.pinned) return true
    if (this.failingOrigins.length) {
      const origin = this.health.originOf(channel)
      if (this.failingOrigins.includes(origin) && !this.budgets.affords(origin)) return false
    }
    const { ring, keyName } = channel
    if (!ring || keyName) return this.health.allows(channel, this.subjects, keyName?.digest)
    return ring.usable.some((keyed) => this.health.allows(keyed, this.subjects, keyed.keyName.digest))
  }

  /**
   * Chooses a key that may be used now and that `also` allows. Returns the channel with this key, or undefined if there
   * is no such key. Returns a channel without a ring unchecked. For `random`, see `chooseKey`.
   */
  withKey(
    channel: LiveChannel,
    random: () => number,
    also?: (channel: LiveChannel, key: string) => boolean,
  ): LiveChannel | undefined {
    const { pinned } = this.query
    const isHealthy = (key: string) => pinned || this.health.allows(channel, this.subjects, key)
    return chooseKey(channel, also ? (key) => isHealthy(key) && also(channel, key) : isHealthy, random)
  }

  /** Begins an attempt. The caller must end it with `succeeded`, `failed` or `abandoned`. */
  attempt(channel: LiveChannel): Attempt {
    const origin = this.health.originOf(channel)
    if (!this.triedOrigins.includes(origin)) {
      this.triedOrigins.push(origin)
      this.budgets.deposit(origin)
    } else if (this.failingOrigins.includes(origin)) this.budgets.spend(origin)
    return new Attempt(channel, this.subjects, this.health, this)
  }

  /** Records a failure that may affect the whole upstream. */
  recordUpstreamFailure(channel: LiveChannel): void {
    const origin = this.health.originOf(channel)
    if (!this.failingOrigins.includes(origin)) this.failingOrigins.push(origin)
  }

  /** Returns why none of these channels may be used. To cache the result for a whole pool, pass the pool too. */
  unavailability(channels: Iterable<LiveChannel>, pool?: object): Unavailable {
    return this.health.unavailability(channels, this.subjects, this.query.pinned ? undefined : pool)
  }

  /** Returns the result that `unavailability` has cached for this pool, or undefined. Checks no channels. */
  cachedUnavailability(pool: object): Unavailable | undefined {
    return this.query.pinned ? undefined : this.health.cachedUnavailability(pool, this.subjects)
  }
}

/** One attempt and its outcome. Only the first outcome counts. */
export class Attempt {
  private readonly since: number
  private readonly passes: Map<Circuit, Pass> | undefined
  private hasEnded = false
  /** Digest of the key, if the channel has a ring. */
  readonly key: string | undefined

  constructor(
    readonly channel: LiveChannel,
    readonly subjects: Subjects,
    private readonly health: ChannelHealth,
    private readonly relay: RelayHealth,
  ) {
    this.since = health.now()
    this.key = channel.keyName?.digest
    this.passes = health.enter(channel, subjects, this.key)
  }

  passOf(circuit: Circuit): Pass {
    return this.passes?.get(circuit) ?? { since: this.since, probe: false }
  }

  /** Records the first token, which ends a probe with success. The end of the stream is recorded separately. */
  recordFirstToken(): void {
    if (this.hasEnded || !this.passes || ![...this.passes.values()].some(({ probe }) => probe)) return
    this.health.succeeded(this)
    for (const circuit of this.passes.keys()) this.passes.set(circuit, { since: this.since, probe: false })
  }

  /** Records a complete reply. */
  succeeded(): void {
    if (this.end()) this.health.succeeded(this)
  }

  failed(failure: FailedAttempt, requestEcho: () => RequestEcho = () => NO_ECHO): void {
    if (!this.end()) return
    const failureClass = this.health.failed(this, failure, requestEcho)
    if (failureClass === 'unreachable' || failureClass === 'server') this.relay.recordUpstreamFailure(this.channel)
  }

  /** Ends an attempt that the gateway or the client stopped. Records no outcome. */
  abandoned(): void {
    if (this.end() && this.passes) this.health.abandoned(this.passes)
  }

  private end(): boolean {
    if (this.hasEnded) return false
    this.hasEnded = true
    return true
  }
}
