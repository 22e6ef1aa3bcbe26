import type { LiveChannel } from '../directory.ts'
import { chooseKey } from '../key-ring.ts'
import type { Circuit, Pass } from './circuit.ts'
import type { FailedAttempt } from './evidence.ts'
import type { ChannelHealth, SetAside } from './health.ts'
import type { RetryBudgets } from './retry-budget.ts'
import { NOTHING_SAID, type Said } from './said.ts'
import { Subjects, type Wanted } from './subjects.ts'

/** One relay's attempts: which channels it may ask, and what each of them teaches. */
export class RelayHealth {
  private readonly asked: string[] = []
  private readonly failing: string[] = []
  private readonly subjects: Subjects

  constructor(
    private readonly wanted: Wanted,
    private readonly health: ChannelHealth,
    private readonly budgets: RetryBudgets,
  ) {
    this.subjects = new Subjects(wanted)
  }

  /** Whether a channel may be asked now: of one with several keys, with the one that was chosen, else with one of them. */
  allows(channel: LiveChannel): boolean {
    if (this.wanted.pinned) return true
    if (this.failing.length) {
      const origin = this.health.originOf(channel)
      if (this.failing.includes(origin) && !this.budgets.affords(origin)) return false
    }
    const { ring, keyName } = channel
    if (!ring || keyName) return this.health.allows(channel, this.subjects, keyName?.digest)
    return ring.usable.some((keyed) => this.health.allows(keyed, this.subjects, keyed.keyName.digest))
  }

  /** The channel with the key that it may be asked with now; undefined when there is none. `random` as `chooseKey` has it. */
  withKey(channel: LiveChannel, random: () => number): LiveChannel | undefined {
    const { pinned } = this.wanted
    return chooseKey(channel, (key) => pinned || this.health.allows(channel, this.subjects, key), random)
  }

  /** Begins an attempt. Whoever begins one ends it, in one of its ways. */
  attempt(channel: LiveChannel): Attempt {
    const origin = this.health.originOf(channel)
    if (!this.asked.includes(origin)) {
      this.asked.push(origin)
      this.budgets.deposit(origin)
    } else if (this.failing.includes(origin)) this.budgets.spend(origin)
    return new Attempt(channel, this.subjects, this.health, this)
  }

  /** A failure that the whole upstream may be to blame for. */
  blame(channel: LiveChannel): void {
    const origin = this.health.originOf(channel)
    if (!this.failing.includes(origin)) this.failing.push(origin)
  }

  /** Why none of these may be asked. `pool`: what they are all of. */
  setAside(channels: Iterable<LiveChannel>, pool?: object): SetAside {
    return this.health.setAside(channels, this.subjects, this.wanted.pinned ? undefined : pool)
  }

  /** The same, if it was found out a moment ago of this pool: nothing of it need be looked at. */
  knownSetAside(pool: object): SetAside | undefined {
    return this.wanted.pinned ? undefined : this.health.knownSetAside(pool, this.subjects)
  }
}

/** One attempt, and what became of it. The first end counts. */
export class Attempt {
  private readonly since: number
  private readonly passes: Map<Circuit, Pass> | undefined
  private over = false
  /** Digest of the key, of several. */
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

  /** The first token is here. For a probe that is enough; how a stream ends is told when it has ended. */
  answered(): void {
    if (this.over || !this.passes || ![...this.passes.values()].some(({ probe }) => probe)) return
    this.health.succeeded(this)
    for (const circuit of this.passes.keys()) this.passes.set(circuit, { since: this.since, probe: false })
  }

  /** The upstream has answered whole. */
  succeeded(): void {
    if (this.end()) this.health.succeeded(this)
  }

  failed(failure: FailedAttempt, said: () => Said = () => NOTHING_SAID): void {
    if (!this.end()) return
    const found = this.health.failed(this, failure, said)
    if (found === 'unreachable' || found === 'server') this.relay.blame(this.channel)
  }

  /** It ended for a reason of ours or of the client's: permits go back, nothing is learnt. */
  abandoned(): void {
    if (this.end() && this.passes) this.health.abandoned(this.passes)
  }

  private end(): boolean {
    if (this.over) return false
    this.over = true
    return true
  }
}
