import type { LiveChannel } from '../directory.ts'
import { Circuit, type Pass, type Transition } from './circuit.ts'
import { classify, type Evidence, type FailedAttempt, type FailureClass, leavesAccountOpen } from './evidence.ts'
import { legible } from './legible.ts'
import { Refusals, secondsUntil } from './refusals.ts'
import { type Attempt, RelayHealth } from './relay-health.ts'
import { RetryBudgets } from './retry-budget.ts'
import type { Said } from './said.ts'
import { sameUpstream } from './same-upstream.ts'
import { type Scope, type Subject, type Subjects, targetOf, type Wanted } from './subjects.ts'

/** A circuit that changed, or whose subject is no longer what it was (`forgotten`). */
export interface CircuitChange {
  readonly channelId: number
  readonly scope: Scope
  /** '' for the channel. */
  readonly subject: string
  readonly transition: Transition | 'forgotten'
  readonly evidence: Evidence
  readonly reason: string
  /** Milliseconds since the epoch: when it opened, when it may be probed, and when this happened. */
  readonly openedAt: number
  readonly retryAt: number
  readonly at: number
}

/** A key that the upstream refuses, by its evidence in a row. */
export interface LostAccount {
  readonly channel: LiveChannel
  /** Digest of the key, where the channel has several. */
  readonly key: string | undefined
  readonly reason: string
}

export interface HealthParts {
  /** A channel as it is now. */
  find(id: number): LiveChannel | undefined
  /** Phrases that tell a lost account, one per line. */
  keywords(): string
  onChange(change: CircuitChange): void
  onLost(lost: LostAccount): void
  /** Milliseconds since the epoch. */
  now(): number
  random(): number
}

/** Why nobody can be asked, and for how long. */
export interface SetAside {
  readonly limited: boolean
  readonly seconds: number
}

const CIRCUITS_MAX = 50_000
/** Circuits of one channel for names that clients may have made up. */
const INVENTED_MAX = 100
const REASON_LENGTH_MAX = 500
const AFTER_EDIT = 'forgotten after an edit'
const TOO_MANY = 'forgotten: there are too many'

interface Known {
  channel: LiveChannel
  readonly circuits: Map<string, Pick<Subject, 'scope' | 'subject' | 'invented'> & { readonly circuit: Circuit }>
}

/** What this process knows about the health of upstreams: circuits of what has failed lately, and budgets for retries. */
export class ChannelHealth {
  private readonly known = new Map<number, Known>()
  private readonly budgets = new RetryBudgets()
  private readonly origins = new WeakMap<LiveChannel, string>()
  private readonly refusals = new Refusals()
  private count = 0
  /** Goes up whenever somebody may be let in who was not. */
  private version = 0

  constructor(private readonly parts: HealthParts) {}

  /** One relay's view, from its first attempt to its last. */
  begin(wanted: Wanted): RelayHealth {
    return new RelayHealth(wanted, this, this.budgets)
  }

  now(): number {
    return this.parts.now()
  }

  /** The host that a channel asks. Channels without an address of their own share none. */
  originOf(channel: LiveChannel): string {
    let origin = this.origins.get(channel)
    if (origin === undefined) {
      origin = URL.canParse(channel.baseUrl) ? new URL(channel.baseUrl).host : `channel ${channel.id}`
      this.origins.set(channel, origin)
    }
    return origin
  }

  /** Whether a circuit keeps an attempt away. `key`: digest of the one to be used, where there are several. */
  allows({ id }: LiveChannel, subjects: Subjects, key?: string): boolean {
    const known = this.known.get(id)
    if (!known) return true
    const now = this.parts.now()
    return subjects.of(key).every(({ name }) => known.circuits.get(name)?.circuit.allows(now) ?? true)
  }

  /** Why these channels are not asked. At least a second. `pool`: what they are all of; the answer is kept for a moment. */
  setAside(channels: Iterable<LiveChannel>, subjects: Subjects, pool?: object): SetAside {
    const now = this.parts.now()
    let limited = true
    let all = true
    let retryAt = Number.POSITIVE_INFINITY
    for (const channel of channels) {
      const circuits = this.known.get(channel.id)?.circuits
      for (const key of channel.ring?.usable.map(({ keyName }) => keyName.digest) ?? [undefined]) {
        const shut: Circuit[] = []
        for (const { name } of subjects.of(key)) {
          const circuit = circuits?.get(name)?.circuit
          if (circuit && !circuit.allows(now)) shut.push(circuit)
        }
        if (shut.length === 0) {
          all = false
          continue
        }
        limited &&= shut.some(({ evidence }) => evidence === 'limited')
        retryAt = Math.min(retryAt, Math.max(...shut.map((circuit) => circuit.retryAt)))
      }
    }
    limited &&= Number.isFinite(retryAt)
    if (pool && all) this.refusals.keep(pool, subjects.wantedName, { limited, retryAt, version: this.version }, now)
    return { limited, seconds: secondsUntil(retryAt, now) }
  }

  /** The same of all of a pool, where it was found out a moment ago that none of it may be asked. */
  knownSetAside(pool: object, subjects: Subjects): SetAside | undefined {
    if (!this.refusals.knows(pool)) return undefined
    return this.refusals.find(pool, subjects.wantedName, { now: this.parts.now(), version: this.version })
  }

  /** The passes through the circuits that an attempt goes by; nothing where nothing is suspicious. */
  enter({ id }: LiveChannel, subjects: Subjects, key: string | undefined): Map<Circuit, Pass> | undefined {
    const known = this.known.get(id)
    if (!known) return undefined
    const now = this.parts.now()
    const passes = new Map<Circuit, Pass>()
    for (const { name } of subjects.of(key)) {
      const circuit = known.circuits.get(name)?.circuit
      if (circuit) passes.set(circuit, circuit.enter(now))
    }
    return passes
  }

  /** Channels were edited: what was known about an upstream that is another now, or was taken out, is forgotten. */
  reconsider(ids: readonly number[] | undefined): void {
    for (const id of ids ?? [...this.known.keys()]) {
      const known = this.known.get(id)
      if (!known) continue
      const channel = this.parts.find(id)
      if (channel && sameUpstream(channel, known.channel) && channel.status === known.channel.status) {
        known.channel = channel
        this.forgetKeys(known)
      } else this.forget(id, known, AFTER_EDIT)
    }
  }

  succeeded(attempt: Attempt): void {
    const known = this.known.get(attempt.channel.id)
    if (!known) return
    const now = this.parts.now()
    for (const { scope, name, subject } of attempt.subjects.of(attempt.key)) {
      const circuit = known.circuits.get(name)?.circuit
      if (!circuit) continue
      const end = () => circuit.succeed(attempt.passOf(circuit), now)
      this.tell(attempt.channel, scope, subject, circuit, this.freeing(circuit, end))
      if (circuit.isCalm(now) && known.circuits.delete(name)) this.count -= 1
    }
    if (known.circuits.size === 0) this.known.delete(attempt.channel.id)
  }

  /** Attempts that ended in a way that says nothing. */
  abandoned(passes: Iterable<[Circuit, Pass]>): void {
    for (const [circuit, pass] of passes) this.freeing(circuit, () => circuit.leave(pass))
  }

  /** Answers of what the failure is evidence. */
  failed(attempt: Attempt, failure: FailedAttempt, said: () => Said): FailureClass {
    const { channel, subjects, key } = attempt
    const keywords = this.parts.keywords()
    const found = classify(failure, { type: channel.type.type, keywords, said })
    const current = this.parts.find(channel.id)
    // The attempt has asked an upstream that is another by now, or that nobody is to ask any more.
    if (!current || current.status !== channel.status || !sameUpstream(current, channel)) return found
    const target = found === 'request' ? undefined : targetOf(found, key)
    const now = this.parts.now()
    const known = target ? this.suspect(current) : this.known.get(channel.id)
    for (const each of subjects.of(key)) {
      const { scope, name, subject } = each
      const circuit = target === scope && known ? this.circuitOf(known, each) : known?.circuits.get(name)?.circuit
      if (!circuit) continue
      const pass = attempt.passOf(circuit)
      if (found !== 'request' && target === scope) {
        const reason = legible(`status code ${failure.status}: ${failure.message}`).slice(0, REASON_LENGTH_MAX)
        const { retryAfterMs } = failure
        const details = {
          now,
          reason,
          random: this.parts.random(),
          ...(retryAfterMs !== undefined && { retryAfterMs }),
        }
        this.tell(channel, scope, subject, circuit, circuit.fail(pass, found, details))
        if (found === 'account' && circuit.isRow(found)) this.parts.onLost({ channel: current, key, reason })
      } else if (circuit.open && !failure.unasked && disproves(found, circuit.evidence, failure)) {
        const transition = this.freeing(circuit, () => circuit.succeed(pass, now))
        this.tell(channel, scope, subject, circuit, transition)
      } else {
        this.freeing(circuit, () => circuit.leave(pass))
        if (found !== 'request' && !circuit.open && (scope === 'channel' || scope === 'key')) circuit.interrupt(now)
      }
    }
    return found
  }

  private suspect(channel: LiveChannel): Known {
    const existing = this.known.get(channel.id)
    if (existing) return existing
    const known: Known = { channel, circuits: new Map() }
    this.known.set(channel.id, known)
    return known
  }

  private circuitOf(known: Known, { scope, name, subject, invented = false }: Subject): Circuit {
    const existing = known.circuits.get(name)
    if (existing) return existing.circuit
    if (this.count >= CIRCUITS_MAX) {
      const [oldest] = this.known
      if (oldest && oldest[1] !== known) this.forget(...oldest, TOO_MANY)
    }
    if (invented) this.makeRoom(known)
    const circuit = new Circuit()
    known.circuits.set(name, { scope, subject, invented, circuit })
    this.count += 1
    return circuit
  }

  /** Invented names drive each other out, and nothing else. */
  private makeRoom({ channel, circuits }: Known): void {
    const invented = [...circuits].filter(([, known]) => known.invented)
    const [oldest] = invented
    if (!oldest || invented.length < INVENTED_MAX) return
    const [name, { scope, subject, circuit }] = oldest
    circuits.delete(name)
    this.count -= 1
    this.version += 1
    if (circuit.open) this.tell(channel, scope, subject, { ...circuit, reason: TOO_MANY }, 'forgotten')
  }

  /** Does what may let somebody through a circuit. */
  private freeing<T>(circuit: Circuit, act: () => T): T {
    const now = this.parts.now()
    const wasShut = !circuit.allows(now)
    const result = act()
    if (wasShut && circuit.allows(now)) this.version += 1
    return result
  }

  private forget(id: number, { channel, circuits }: Known, why: string): void {
    this.known.delete(id)
    this.count -= circuits.size
    this.version += 1
    for (const { scope, subject, circuit } of circuits.values()) {
      if (circuit.open) this.tell(channel, scope, subject, { ...circuit, reason: why }, 'forgotten')
    }
  }

  /** Keys that are set aside are not asked: nothing more is learnt of them. */
  private forgetKeys({ channel, circuits }: Known): void {
    if (!channel.ring) return
    const usable = new Set(channel.ring.usable.map(({ keyName }) => keyName.digest))
    for (const [name, { scope, subject, circuit }] of circuits) {
      const [key = ''] = subject.split(' ')
      if ((scope !== 'key' && scope !== 'limit') || usable.has(key)) continue
      circuits.delete(name)
      this.count -= 1
      this.version += 1
      if (circuit.open) this.tell(channel, scope, subject, { ...circuit, reason: AFTER_EDIT }, 'forgotten')
    }
  }

  private tell(
    { id }: LiveChannel,
    scope: Scope,
    subject: string,
    { evidence, reason, openedAt, retryAt }: Pick<Circuit, 'evidence' | 'reason' | 'openedAt' | 'retryAt'>,
    transition: CircuitChange['transition'] | undefined,
  ): void {
    if (transition) {
      this.parts.onChange({
        channelId: id,
        scope,
        subject,
        transition,
        evidence,
        reason,
        openedAt,
        retryAt,
        at: this.parts.now(),
      })
    }
  }
}

/** Whatever an upstream answers, it was reached; and it looks at the account before it finds fault with a request. */
function disproves(found: FailureClass, evidence: Evidence, failure: FailedAttempt): boolean {
  return evidence === 'unreachable' || (evidence === 'account' && found === 'request' && !leavesAccountOpen(failure))
}
