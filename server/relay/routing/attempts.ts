import type { Logger } from 'pino'
import type { ChannelHealth } from '../../../core/channels/health/health.ts'
import type { Attempt as HealthAttempt, RelayHealth } from '../../../core/channels/health/relay-health.ts'
import type { RequestEcho } from '../../../core/channels/health/request-echo.ts'
import type { CircuitQuery } from '../../../core/channels/health/subjects.ts'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import { pickChannel } from '../../../core/channels/routing/routing.ts'
import type { Config } from '../../../core/config.ts'
import type { GatewayError } from '../../../core/errors.ts'
import type { Hold } from '../../../core/ledger/charge.ts'
import type { LimitHold, LimitUse, Queued } from '../../../core/limits/acquire.ts'
import type { FailedTry } from '../../../core/logs/failures.ts'
import { pricedName } from '../../../core/pricing/names.ts'
import type { Ready } from '../../../core/ready.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import type { Admitted } from '../admission/admission.ts'
import { type AttemptListener, type SkippedChannel, startAttempt } from '../attempt/attempt.ts'
import { Downloads } from '../attempt/downloads.ts'
import { smallerLimit } from '../attempt/limit-rejection.ts'
import type { AttemptResult } from '../attempt/open-reply.ts'
import type { ProviderContextFor } from '../attempt/provider-context.ts'
import { requestEchoOf } from '../attempt/request-echo.ts'
import type { Coverage } from '../charging/extend.ts'
import type { Interruption } from '../delivery/interruption.ts'
import { attachLimits, ChannelLimits } from '../limits/channel-limits.ts'
import type { Upstream } from '../transport/upstream.ts'
import { providerRequestOf } from './ask-of.ts'
import { backOff } from './back-off.ts'
import { throwIfUnavailable, unavailableError } from './set-aside.ts'

/** The last attempt of a relay, and the ids of all channels that the relay tried. */
export interface LastAttempt {
  result: AttemptResult
  /** The channel of the last attempt. If the channel has several keys, this object has the key that was used. */
  channel: LiveChannel
  /** The upstream's name of the model. */
  upstreamModel: string
  tried: readonly number[]
  /** Gets the outcome of a stream when the stream ends. */
  health: HealthAttempt
}

export interface AttemptsParts {
  readonly upstream: Upstream
  readonly providerContextFor: ProviderContextFor
  readonly config: Pick<Config, 'relayTimeoutMs' | 'firstTokenTimeoutMs'>
  readonly health: Pick<ChannelHealth, 'begin'>
  readonly toolkit: Pick<LocalToolkit, 'liveLimits'>
  readonly logger: Logger
}

/** Values for all attempts of one relay. */
interface AttemptsOptions {
  readonly retries: number
  /** Returns random numbers in [0, 1), which choose the channels. */
  readonly random: () => number
  readonly coverage: Coverage
  /** Output limit of a reply in tokens, if the client sets none. */
  readonly limit?: number | undefined
  /** Receives every failed attempt. */
  readonly failedTries: FailedTry[]
  /** The amounts that an attempt takes from the channel's limits. Absent if channels have no limits. */
  readonly use?: LimitUse | undefined
  readonly hold: Hold
}

/** Receives the outcome of the attempts. Either `onTried` or `onFailure` is called, and only once. */
export interface AttemptsListener {
  /** Called with the last attempt. `tried` is undefined if the relay ended before its first attempt. */
  onTried(tried: LastAttempt | undefined): void
  /**
   * Called with an error if no attempt got a result.
   *
   * The error is CHANNELS_LIMITED or CHANNELS_UNHEALTHY if limits or health prevented all attempts. Otherwise, it is
   * the first error with which a provider rejected the request, or an error that ends all attempts, such as a bug.
   */
  onFailure(error: unknown): void
  /** See `AttemptListener`. */
  coverPrompts?(times: number): Promise<void>
}

/** The attempts of one relay. Tries healthy channels until one replies. Sends to at most 1 + `retries` channels. */
export class Attempts implements AttemptListener {
  private readonly health: RelayHealth
  private readonly attemptsMax: number
  private readonly tried = new Set<number>()
  private readonly downloads = new Downloads()
  /** Undefined if channels have no limits. */
  private readonly limits: ChannelLimits | undefined
  private limitHold: LimitHold | undefined
  private hasQueued = false
  private sentRequests = 0
  private last: LastAttempt | undefined
  private skipError: GatewayError | undefined
  // The following fields describe the running attempt.
  private channel: LiveChannel | undefined
  private upstreamModel = ''
  private startedMs = 0
  private healthAttempt: HealthAttempt | undefined
  private limit: number | undefined
  /** The channel that was chosen before the back-off. */
  private chosen: LiveChannel | undefined
  private isStepping = false
  private isStepDue = false

  constructor(
    private readonly admitted: Admitted,
    private readonly interruption: Interruption,
    private readonly options: AttemptsOptions,
    private readonly parts: AttemptsParts,
    private readonly listener: AttemptsListener,
  ) {
    this.attemptsMax = admitted.caller.pinnedChannelId ? 1 : 1 + options.retries
    this.health = parts.health.begin(circuitQueryOf(admitted))
    this.limits = ChannelLimits.of(parts.toolkit.liveLimits, options.use)
  }

  start(): void {
    try {
      throwIfUnavailable(this.health, this.admitted.channels, this.admitted.model)
      this.next()
    } catch (error) {
      this.onError(error)
    }
  }

  private readonly isCandidate = (channel: LiveChannel): boolean =>
    !this.tried.has(channel.id) &&
    this.health.allows(channel) &&
    (this.limits === undefined || this.limits.mayHaveRoom(channel))

  /** Tries the next channel, if any. Loops, because recursion over thousands of channels could exhaust the stack. */
  private next(): void {
    this.isStepDue = true
    if (this.isStepping) return
    this.isStepping = true
    try {
      while (this.isStepDue) {
        this.isStepDue = false
        this.step()
      }
    } finally {
      this.isStepping = false
    }
  }

  private step(): void {
    const { chosen } = this
    if (chosen) {
      this.chosen = undefined
      // The health of the chosen channel may have changed during the back-off.
      const { channels } = this.admitted
      this.tryChannel(this.isCandidate(chosen) ? chosen : pickChannel(channels, this.isCandidate, this.options.random))
      return
    }
    if (this.sentRequests >= this.attemptsMax) {
      this.conclude()
      return
    }
    const picked = pickChannel(this.admitted.channels, this.isCandidate, this.options.random)
    if (!picked || !this.last) {
      this.tryChannel(picked)
      return
    }
    backOff(this.tried.size)
      .then(() => {
        this.chosen = picked
        this.next()
      })
      .catch((error) => this.onError(error))
  }

  private tryChannel(picked: LiveChannel | undefined): void {
    const channel = picked && this.withKey(picked)
    if (!channel) {
      if (!this.limits || !this.tryFullChannel(this.limits)) this.conclude()
      return
    }
    const { interruption, last } = this
    if (interruption.cause || interruption.isDisconnected) {
      this.listener.onTried(last && { ...last, result: { kind: 'cut' } })
      return
    }
    if (!this.limits) {
      this.begin(channel)
      return
    }
    this.takeLimits(channel, this.limits)
  }

  /** Returns the channel with the key to use. Returns undefined if no key may be used. */
  private withKey(picked: LiveChannel): LiveChannel | undefined {
    // If the request names stored objects, the channel already has the only key that can use these objects.
    if (picked.keyName) return picked
    const { limits, health, options } = this
    if (!limits) return health.withKey(picked, options.random)
    return health.withKey(picked, options.random, (channel, key) => limits.mayUseKey(channel, key))
  }

  /** Takes the amounts of the attempt from a channel's limits. If the channel is full, tries the next channel. */
  private takeLimits(channel: LiveChannel, limits: ChannelLimits, queued?: Queued): void {
    const begin = (limitHold: LimitHold | undefined) => {
      this.limitHold = limitHold
      this.begin(channel)
    }
    const skip = (error: unknown) => {
      limits.noteFull(channel, error)
      this.next()
    }
    let taking: Ready<LimitHold> | undefined
    try {
      taking = limits.take(channel, queued)
    } catch (error) {
      skip(error)
      return
    }
    if (taking instanceof Promise) taking.then(begin, skip).catch((error) => this.onError(error))
    else begin(taking)
  }

  /**
   * Called when all remaining channels are full. Returns false if no channel can be tried.
   *
   * First tries channels that are full only according to their upstream. Then queues at one channel.
   */
  private tryFullChannel(limits: ChannelLimits): boolean {
    if (limits.reconsider()) {
      this.next()
      return true
    }
    if (this.last || this.hasQueued || !limits.hasFull) return false
    this.hasQueued = true
    limits.forget()
    const picked = pickChannel(this.admitted.channels, this.isCandidate, this.options.random)
    const channel = picked && this.withKey(picked)
    if (!channel) return false
    this.takeLimits(channel, limits, this.interruption)
    return true
  }

  private begin(channel: LiveChannel): void {
    this.tried.add(channel.id)
    this.channel = channel
    this.startedMs = performance.now()
    this.healthAttempt = this.health.attempt(channel)
    this.upstreamModel = mappedModel(this.admitted.model, channel.modelMapping)
    this.limit = this.options.limit
    this.send(channel)
  }

  private send(channel: LiveChannel): void {
    const { admitted, interruption, upstreamModel: model, limit } = this
    const { upstream, providerContextFor, config } = this.parts
    const { user, token } = admitted.caller
    const isStored = token.storesResponses && channel.settings.storeResponses
    startAttempt(
      providerRequestOf(admitted, channel, { model, limit }),
      channel,
      {
        upstream,
        context: providerContextFor(channel, interruption, this.downloads, { userId: user.id, isStored }),
        interruption,
        coverage: this.options.coverage,
        learned: this.parts.toolkit.liveLimits.learned,
        relayTimeoutMs: config.relayTimeoutMs,
        firstTokenTimeoutMs: config.firstTokenTimeoutMs,
      },
      this,
    )
  }

  async coverPrompts(times: number): Promise<void> {
    await this.listener.coverPrompts?.(times)
  }

  /** Ends the attempts with an error that is not an upstream's failure. */
  onError(error: unknown): void {
    this.limitHold?.end()
    this.healthAttempt?.abandoned()
    this.listener.onFailure(error)
  }

  onResult(result: AttemptResult | SkippedChannel): void {
    try {
      const smaller = smallerLimit(result, this.limit)
      // Lower the limit only once. A second rejection has another cause.
      if (smaller !== undefined && this.limit === this.options.limit) {
        this.limit = smaller
        this.send(this.channel as LiveChannel)
      } else this.handle(result)
    } catch (error) {
      this.onError(error)
    }
  }

  private handle(result: AttemptResult | SkippedChannel): void {
    const { admitted, upstreamModel, options, limitHold } = this
    const channel = this.channel as LiveChannel
    const health = this.healthAttempt as HealthAttempt
    const { requestId, model } = admitted
    reportHealth(health, result, () => requestEchoOf(admitted, [model, upstreamModel]))
    const key = channel.keyName?.digest
    if (limitHold) {
      this.limitHold = undefined
      if (result.kind === 'failure' || result.kind === 'passed-over') limitHold.end()
      else attachLimits(options.hold, limitHold)
    }
    if (result.kind === 'passed-over') {
      // The upstream has processed nothing, so another channel may serve the request.
      const { code, params } = result.refusal
      options.failedTries.push(
        tryOf(channel, this.startedMs, { status: 0, code, message: 'the channel cannot serve this request' }),
      )
      this.skipError ??= result.refusal
      this.parts.logger.warn({ requestId, channel: channel.id, key, model, code, ...params }, 'channel passed over')
      this.next()
      return
    }
    this.sentRequests += 1
    this.last = { result, channel, upstreamModel, tried: [...this.tried], health }
    if (result.kind !== 'failure') {
      this.conclude()
      return
    }
    const { status, code, message, retry } = result.failure
    options.failedTries.push(tryOf(channel, this.startedMs, result.failure))
    this.parts.logger.warn(
      { requestId, channel: channel.id, key, model, status, code, reason: message },
      'attempt failed',
    )
    if (retry === 'never') this.conclude()
    else this.next()
  }

  private conclude(): void {
    const { last, health, admitted, tried, skipError } = this
    if (!last) {
      const { channels, model } = admitted
      const unavailable =
        this.limits?.refused(model) ?? unavailableError(health, channels, { passed: [...tried], model }) ?? skipError
      if (unavailable) {
        this.listener.onFailure(unavailable)
        return
      }
    }
    this.listener.onTried(last)
  }
}

/** Returns a failed attempt for the log. `startedMs` is a time of `performance.now()`. */
function tryOf(
  { id, keyName }: LiveChannel,
  startedMs: number,
  { status, code, message }: Pick<FailedTry, 'status' | 'code' | 'message'>,
): FailedTry {
  const ms = Math.round(performance.now() - startedMs)
  return {
    channel: id,
    ...(keyName && { key: keyName.index }),
    status,
    code,
    ms,
    message: message.slice(0, MESSAGE_MAX),
  }
}
const MESSAGE_MAX = 1000

/** Returns the properties of a request that select its circuits. */
export function circuitQueryOf({ model, entry, caller }: Pick<Admitted, 'model' | 'entry' | 'caller'>): CircuitQuery {
  const via = entry.operation === 'chat' ? entry.dialect : entry.operation
  const routedModel = pricedName(model)
  const requestedModel = model === routedModel ? undefined : model
  return { model: routedModel, requestedModel, via, pinned: caller.pinnedChannelId > 0 }
}

/** Reports the result of an attempt to the channel's health. A stream reports its outcome later, when it ends. */
function reportHealth(health: HealthAttempt, result: AttemptResult | SkippedChannel, echo: () => RequestEcho): void {
  if (result.kind === 'failure') health.failed(result.failure, echo)
  else if (result.kind === 'whole') health.succeeded()
  else if (result.kind === 'stream' || result.kind === 'bytes') health.recordFirstToken()
  else health.abandoned()
}

/** Returns the upstream's name of a model. Follows the mapping from name to name, but never to the same name twice. */
export function mappedModel(model: string, mapping: Readonly<Record<string, string>>): string {
  const visitedNames = new Set([model])
  let name = model
  while (Object.hasOwn(mapping, name)) {
    const next = mapping[name] as string
    if (next === '' || visitedNames.has(next)) return name
    visitedNames.add(next)
    name = next
  }
  return name
}
