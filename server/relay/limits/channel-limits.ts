import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Hold } from '../../../core/ledger/charge.ts'
import type { LimitHold, LimitUse, Queued } from '../../../core/limits/acquire.ts'
import type { ApplicableLimits } from '../../../core/limits/applicable.ts'
import { isLimitReached, type LiveLimits } from '../../../core/limits/live.ts'
import type { Ready } from '../../../core/ready.ts'

/** The limits of channels in one relay. Stores which channels and keys were full (had a reached limit). */
export class ChannelLimits {
  private readonly full: LiveChannel[] = []
  /**
   * Whether to skip channels whose upstream reports that its limit is reached. These channels are tried when no other
   * channel remains.
   */
  private skipsUsedUp = true
  private firstError: GatewayError | undefined

  private constructor(
    private readonly live: LiveLimits,
    private readonly applicable: ApplicableLimits | undefined,
    private readonly use: LimitUse,
  ) {}

  /** Returns the limits for a relay, or undefined if neither an operator nor an upstream limits a channel. */
  static of(live: LiveLimits, use: LimitUse | undefined): ChannelLimits | undefined {
    const { applicable, learned } = live
    const limited = use && applicable?.hasChannelLimits ? applicable : undefined
    if (!limited && !learned.hasUsedUp) return undefined
    return new ChannelLimits(live, limited, use ?? NO_USE)
  }

  /** Returns false if a channel, or each key of the channel, is known to be full. */
  mayHaveRoom(channel: LiveChannel): boolean {
    const { ring, keyName } = channel
    if (!ring || keyName) return this.mayTake(channel)
    return !this.full.includes(channel) && ring.usable.some((keyed) => this.mayTake(keyed))
  }

  /** Returns false if a channel's key is known to be full. `digest` is the digest of the key. */
  mayUseKey(channel: LiveChannel, digest: string): boolean {
    const keyed = channel.ring?.usable.find(({ keyName }) => keyName.digest === digest)
    return !keyed || this.mayTake(keyed)
  }

  private mayTake(channel: LiveChannel): boolean {
    if (this.full.includes(channel)) return false
    return !(this.skipsUsedUp && this.live.learned.isUsedUp(channel))
  }

  /** Takes an attempt's amounts from a channel's limits, if any. Throws, or rejects with, LIMIT_REACHED. */
  take(channel: LiveChannel, queued?: Queued): Ready<LimitHold> | undefined {
    const counters = this.applicable?.countersOfChannel(channel) ?? []
    return counters.length === 0 ? undefined : this.live.acquire(counters, this.use, queued)
  }

  /** Stores that a channel is full. Throws `error` again if it is not LIMIT_REACHED. */
  noteFull(channel: LiveChannel, error: unknown): void {
    if (!isLimitReached(error)) throw error
    this.full.push(channel)
    this.firstError ??= error as GatewayError
  }

  /**
   * Allows the channels whose upstream reports that its limit is reached. Call it when no other channel remains.
   * Returns false if it changes nothing.
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
    if (!this.firstError) return undefined
    const { seconds = 1 } = this.firstError.params
    return new GatewayError('CHANNELS_LIMITED', { model, seconds })
  }
}

const NO_USE: LimitUse = { tokens: 0, quota: { quota: 0 } }

/**
 * Attaches a limit hold (the amounts that a relay took from its limits) to the relay's hold, so that both end together.
 * If the relay's hold ended while the relay was queued, ends the limit hold at once.
 */
export function attachLimits(hold: Hold, limitHold: LimitHold): void {
  if (!hold.open) limitHold.end()
  else if (hold.limits) hold.limits.push(limitHold)
  else hold.limits = [limitHold]
}
