import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Hold } from '../../../core/ledger/charge.ts'
import type { LimitHold, LimitUse, Queued } from '../../../core/limits/acquire.ts'
import type { ApplicableLimits } from '../../../core/limits/applicable.ts'
import { isLimitReached, type LiveLimits } from '../../../core/limits/live.ts'
import type { Ready } from '../../../core/ready.ts'

/** The channels, and their keys, that one relay found full. */
export class ChannelLimits {
  private readonly full: LiveChannel[] = []
  /** Whether to avoid channels that are used up only by their upstream's report; they are tried when no other is left. */
  private doubtsUsedUp = true
  private refusal: GatewayError | undefined

  private constructor(
    private readonly live: LiveLimits,
    private readonly applicable: ApplicableLimits | undefined,
    private readonly use: LimitUse,
  ) {}

  /** Undefined if neither an operator nor an upstream limits a channel. */
  static of(live: LiveLimits, use: LimitUse | undefined): ChannelLimits | undefined {
    const { applicable, learned } = live
    const limited = use && applicable?.hasChannels ? applicable : undefined
    if (!limited && !learned.hasUsedUp) return undefined
    return new ChannelLimits(live, limited, use ?? NOTHING)
  }

  /** Whether a channel may have room with one of its keys. */
  mayHaveRoom(channel: LiveChannel): boolean {
    const { ring, keyName } = channel
    if (!ring || keyName) return this.isOpen(channel)
    return !this.full.includes(channel) && ring.usable.some((keyed) => this.isOpen(keyed))
  }

  /** `digest` identifies a key of a channel that has several. */
  mayUseKey(channel: LiveChannel, digest: string): boolean {
    const keyed = channel.ring?.usable.find(({ keyName }) => keyName.digest === digest)
    return !keyed || this.isOpen(keyed)
  }

  private isOpen(channel: LiveChannel): boolean {
    if (this.full.includes(channel)) return false
    return !(this.doubtsUsedUp && this.live.learned.isUsedUp(channel))
  }

  /** Takes the limits of an attempt; returns undefined if none apply. Throws LIMIT_REACHED, or rejects with it. */
  take(channel: LiveChannel, queued?: Queued): Ready<LimitHold> | undefined {
    const counters = this.applicable?.ofChannel(channel) ?? []
    return counters.length === 0 ? undefined : this.live.acquire(counters, this.use, queued)
  }

  /** Notes that a channel is full. Rethrows any other error than a reached limit. */
  noteFull(channel: LiveChannel, error: unknown): void {
    if (!isLimitReached(error)) throw error
    this.full.push(channel)
    this.refusal ??= error as GatewayError
  }

  /**
   * Called when no channel is left. Returns whether channels that are used up only by their upstream's report may be tried now.
   */
  reconsider(): boolean {
    const doubted = this.doubtsUsedUp
    this.doubtsUsedUp = false
    return doubted && this.live.learned.hasUsedUp
  }

  get hasFull(): boolean {
    return this.full.length > 0
  }

  /** Allows all channels to be tried again. */
  forget(): void {
    this.full.length = 0
  }

  /** Returns the client's error if no channel was tried; it does not reveal whose limit was reached. */
  refused(model: string): GatewayError | undefined {
    if (!this.refusal) return undefined
    const { seconds = 1 } = this.refusal.params
    return new GatewayError('CHANNELS_LIMITED', { model, seconds })
  }
}

const NOTHING: LimitUse = { tokens: 0, quota: { quota: 0 } }

/** Ties limits to the relay's hold, which releases them. The relay may have ended while it was queued. */
export function tie(hold: Hold, taken: LimitHold): void {
  if (!hold.open) taken.end()
  else if (hold.limits) hold.limits.push(taken)
  else hold.limits = [taken]
}
