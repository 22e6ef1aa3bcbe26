import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Hold } from '../../../core/ledger/charge.ts'
import type { LimitHold, LimitUse, Queued } from '../../../core/limits/acquire.ts'
import type { ApplicableLimits } from '../../../core/limits/applicable.ts'
import { isLimitReached, type LiveLimits } from '../../../core/limits/live.ts'
import type { Ready } from '../../../core/ready.ts'

/** The limits of channels in one relay. Stores which channels and keys were full. */
export class ChannelLimits {
  private readonly full: LiveChannel[] = []
  /**
   * Whether to skip channels whose upstream says that its limit is reached. They are tried when no other channel
   * remains.
   */
  private skipsUsedUp = true
  private refusal: GatewayError | undefined

  private constructor(
    private readonly live: LiveLimits,
    private readonly applicable: ApplicableLimits | undefined,
    private readonly use: LimitUse,
  ) {}

  /** Returns the limits for a relay, or undefined if neither an operator nor an upstream limits a channel. */
  static of(live: LiveLimits, use: LimitUse | undefined): ChannelLimits | undefined {
    const { applicable, learned } = live
    const limited = use && applicable?.hasChannels ? applicable : undefined
    if (!limited && !learned.hasUsedUp) return undefined
    return new ChannelLimits(live, limited, use ?? NOTHING)
  }

  /** Returns whether a channel may have room. It does not if the channel or all its keys are known to be full. */
  mayHaveRoom(channel: LiveChannel): boolean {
    const { ring, keyName } = channel
    if (!ring || keyName) return this.isOpen(channel)
    return !this.full.includes(channel) && ring.usable.some((keyed) => this.isOpen(keyed))
  }

  /** Returns false if a channel's key is known to be full. `digest` is the digest of the key. */
  mayUseKey(channel: LiveChannel, digest: string): boolean {
    const keyed = channel.ring?.usable.find(({ keyName }) => keyName.digest === digest)
    return !keyed || this.isOpen(keyed)
  }

  private isOpen(channel: LiveChannel): boolean {
    if (this.full.includes(channel)) return false
    return !(this.skipsUsedUp && this.live.learned.isUsedUp(channel))
  }

  /** Takes the limits of an attempt. Returns undefined if none apply. Throws LIMIT_REACHED, or rejects with it. */
  take(channel: LiveChannel, queued?: Queued): Ready<LimitHold> | undefined {
    const counters = this.applicable?.ofChannel(channel) ?? []
    return counters.length === 0 ? undefined : this.live.acquire(counters, this.use, queued)
  }

  /** Stores that a channel is full. Throws `error` again if it is not LIMIT_REACHED. */
  noteFull(channel: LiveChannel, error: unknown): void {
    if (!isLimitReached(error)) throw error
    this.full.push(channel)
    this.refusal ??= error as GatewayError
  }

  /**
   * Called when no channel remains. Allows channels that were skipped because their upstream says that its limit is
   * reached. Returns false if there are none.
   */
  reconsider(): boolean {
    const wereSkipped = this.skipsUsedUp
    this.skipsUsedUp = false
    return wereSkipped && this.live.learned.hasUsedUp
  }

  get hasFull(): boolean {
    return this.full.length > 0
  }

  /** Forgets which channels are full, so that all channels may be tried again. */
  forget(): void {
    this.full.length = 0
  }

  /**
   * Returns the error for the client if a channel was full, or undefined. The error does not reveal which limit was
   * reached.
   */
  refused(model: string): GatewayError | undefined {
    if (!this.refusal) return undefined
    const { seconds = 1 } = this.refusal.params
    return new GatewayError('CHANNELS_LIMITED', { model, seconds })
  }
}

const NOTHING: LimitUse = { tokens: 0, quota: { quota: 0 } }

/**
 * Ties taken limits to the relay's hold, which returns them when it ends. If the hold ended while the relay was queued,
 * returns them at once.
 */
export function attachLimits(hold: Hold, limitHold: LimitHold): void {
  if (!hold.open) limitHold.end()
  else if (hold.limits) hold.limits.push(limitHold)
  else hold.limits = [limitHold]
}
