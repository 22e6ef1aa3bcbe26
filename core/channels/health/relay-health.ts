import type { LiveChannel } from '../directory.ts'
import type { Circuit, Pass } from './circuit.ts'
import type { FailedAttempt } from './evidence.ts'
import type { ChannelHealth, SetAside } from './health.ts'
import type { RetryBudgets } from './retry-budget.ts'
import type { Wanted } from './subjects.ts'

/** One relay's attempts: which channels it may ask, and what each of them teaches. */
export class RelayHealth {
  private readonly asked: string[] = []
  private readonly failing: string[] = []

  constructor(
    private readonly wanted: Wanted,
    private readonly health: ChannelHealth,
    private readonly budgets: RetryBudgets,
  ) {}

  /** Whether a channel may be asked now. Of one with several keys: whether it may be asked with this one. */
  allows(channel: LiveChannel, key?: string): boolean {
    if (this.wanted.pinned) return true
    if (this.failing.length) {
      const origin = this.health.originOf(channel)
      if (this.failing.includes(origin) && !this.budgets.affords(origin)) return false
    }
    return this.health.allows(channel, this.wanted, key)
  }

  /** Begins an attempt. Whoever begins one ends it, in one of its ways. */
  attempt(channel: LiveChannel, key?: string): Attempt {
    const origin = this.health.originOf(channel)
    if (!this.asked.includes(origin)) {
      this.asked.push(origin)
      this.budgets.deposit(origin)
    } else if (this.failing.includes(origin)) this.budgets.spend(origin)
    return new Attempt(channel, this.wanted, key, this.health, this)
  }

  /** A failure that the whole upstream may be to blame for. */
  blame(channel: LiveChannel): void {
    const origin = this.health.originOf(channel)
    if (!this.failing.includes(origin)) this.failing.push(origin)
  }

  setAside(channels: Iterable<LiveChannel>, keysOf: (channel: LiveChannel) => readonly string[] = () => []): SetAside {
    return this.health.setAside(channels, this.wanted, keysOf)
  }
}

/** One attempt, and what became of it. The first end counts. */
export class Attempt {
  private readonly since: number
  private readonly passes: Map<Circuit, Pass> | undefined
  private over = false

  constructor(
    readonly channel: LiveChannel,
    readonly wanted: Wanted,
    readonly key: string | undefined,
    private readonly health: ChannelHealth,
    private readonly relay: RelayHealth,
  ) {
    this.since = health.now()
    this.passes = health.enter(channel, wanted, key)
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

  /** `said`: what the client wrote, in lower case. */
  failed(failure: FailedAttempt, said: () => string = () => ''): void {
    if (!this.end()) return
    const found = this.health.failed(this, failure, said)
    if (found === 'unreachable' || found === 'server') this.relay.blame(this.channel)
  }

  /** It ended for a reason of ours or of the client's: permits go back, nothing is learnt. */
  abandoned(): void {
    if (!this.end() || !this.passes) return
    for (const [circuit, pass] of this.passes) circuit.leave(pass)
  }

  private end(): boolean {
    if (this.over) return false
    this.over = true
    return true
  }
}
