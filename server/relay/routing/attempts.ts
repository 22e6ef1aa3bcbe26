import type { Logger } from 'pino'
import type { LiveChannel } from '../../../core/channels/directory.ts'
import type { ChannelHealth } from '../../../core/channels/health/health.ts'
import type { Attempt as HealthAttempt, RelayHealth } from '../../../core/channels/health/relay-health.ts'
import type { Said } from '../../../core/channels/health/said.ts'
import type { Wanted } from '../../../core/channels/health/subjects.ts'
import { pickChannel } from '../../../core/channels/routing.ts'
import type { Config } from '../../../core/config.ts'
import type { GatewayError } from '../../../core/errors.ts'
import type { FailedTry } from '../../../core/logs/failures.ts'
import { pricedName } from '../../../core/pricing/names.ts'
import type { Admitted } from '../admission/admission.ts'
import { type AttemptListener, type PassedOver, startAttempt } from '../attempt/attempt.ts'
import { withKnownBetas, withKnownBetasInBody } from '../attempt/betas.ts'
import { saidBy } from '../attempt/client-words.ts'
import { Downloads } from '../attempt/downloads.ts'
import { smallerLimit } from '../attempt/limit-rejection.ts'
import type { MeansOf } from '../attempt/means.ts'
import type { AttemptResult } from '../attempt/open-reply.ts'
import { withoutServiceTier } from '../attempt/service-tier.ts'
import type { Coverage } from '../charging/extend.ts'
import type { Conversation } from '../conversation/conversation.ts'
import type { Interruption } from '../delivery/interruption.ts'
import type { Body } from '../dialects/dialect.ts'
import { DIALECTS } from '../dialects/dialects.ts'
import { withSearchLimit } from '../hosted/call-limit.ts'
import { withoutMissingSearch } from '../hosted/omitted.ts'
import type { Ask } from '../providers/provider.ts'
import type { Upstream } from '../transport/upstream.ts'
import { backOff } from './back-off.ts'
import { refuseSetAside, setAsideRefusal } from './set-aside.ts'

/** The last attempt of a relay, and every channel that was asked. */
export interface Tried {
  result: AttemptResult
  /** With the key that was used, of several. */
  channel: LiveChannel
  /** The name by which that channel's upstream knows the model. */
  upstreamModel: string
  tried: readonly number[]
  /** To be told how the reply ends, when it has only begun. */
  health: HealthAttempt
}

/** What the attempts of a relay are made with. */
export interface AttemptsParts {
  readonly upstream: Upstream
  readonly meansOf: MeansOf
  readonly config: Pick<Config, 'relayTimeoutMs' | 'firstTokenTimeoutMs'>
  readonly health: Pick<ChannelHealth, 'begin'>
  readonly logger: Logger
}

/** How the attempts of one relay are made. */
export interface AttemptsOptions {
  readonly retries: number
  /** What channels are chosen by, in [0, 1). */
  readonly random: () => number
  readonly coverage: Coverage
  /** The limit of each reply, for a conversation whose client names none. */
  readonly limit?: number | undefined
  /** Gets every attempt that failed. */
  readonly tries: FailedTry[]
}

/** Gets what the attempts came to: one of the two, once. */
export interface AttemptsListener {
  /** Undefined: the relay was ended before any channel was asked. */
  onTried(tried: Tried | undefined): void
  /**
   * CHANNELS_LIMITED and CHANNELS_UNHEALTHY if none was asked because of their health, else the first refusal; a refusal that an
   * upstream's reply amounts to; or a defect.
   */
  onUntried(error: unknown): void
}

/** The attempts of one relay: asks healthy channels until one answers, each at most once, 1 + `retries` of them at most. */
export class Attempts implements AttemptListener {
  private readonly health: RelayHealth
  private readonly attemptsMax: number
  private readonly tried = new Set<number>()
  private readonly downloads = new Downloads()
  private requests = 0
  private last: Tried | undefined
  private refusal: GatewayError | undefined
  // Of the attempt that runs:
  private channel: LiveChannel | undefined
  private upstreamModel = ''
  private startedMs = 0
  private watched: HealthAttempt | undefined
  private limit: number | undefined
  /** Chosen before the back-off. */
  private chosen: LiveChannel | undefined
  private isStepping = false
  private isDue = false

  constructor(
    private readonly admitted: Admitted,
    private readonly interruption: Interruption,
    private readonly options: AttemptsOptions,
    private readonly parts: AttemptsParts,
    private readonly listener: AttemptsListener,
  ) {
    this.attemptsMax = admitted.caller.pinnedChannelId ? 1 : 1 + options.retries
    this.health = parts.health.begin(wantedOf(admitted))
  }

  start(): void {
    try {
      refuseSetAside(this.health, this.admitted.channels, this.admitted.model)
      this.next()
    } catch (error) {
      this.throwOut(error)
    }
  }

  private readonly may = (channel: LiveChannel): boolean => !this.tried.has(channel.id) && this.health.allows(channel)

  /** Asks the next channel, if there is one. A loop: thousands of channels may be passed over without waiting. */
  private next(): void {
    this.isDue = true
    if (this.isStepping) return
    this.isStepping = true
    try {
      while (this.isDue) {
        this.isDue = false
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
      // Others have asked it meanwhile.
      const { channels } = this.admitted
      this.ask(this.may(chosen) ? chosen : pickChannel(channels, this.may, this.options.random))
      return
    }
    if (this.requests >= this.attemptsMax) {
      this.conclude()
      return
    }
    const picked = pickChannel(this.admitted.channels, this.may, this.options.random)
    if (!picked || !this.last) {
      this.ask(picked)
      return
    }
    backOff(this.tried.size)
      .then(() => {
        this.chosen = picked
        this.next()
      })
      .catch((error) => this.throwOut(error))
  }

  private ask(picked: LiveChannel | undefined): void {
    // What a key has stored, only that key finds.
    const channel = picked?.keyName ? picked : picked && this.health.withKey(picked, this.options.random)
    if (!channel) {
      this.conclude()
      return
    }
    const { interruption, last } = this
    if (interruption.cause || interruption.isDisconnected) {
      this.listener.onTried(last && { ...last, result: { kind: 'cut' } })
      return
    }
    this.tried.add(channel.id)
    this.channel = channel
    this.startedMs = performance.now()
    this.watched = this.health.attempt(channel)
    this.upstreamModel = mappedModel(this.admitted.model, channel.modelMapping)
    this.limit = this.options.limit
    this.send(channel)
  }

  private send(channel: LiveChannel): void {
    const { admitted, interruption, upstreamModel: model, limit } = this
    const { upstream, meansOf, config } = this.parts
    const { user, token } = admitted.caller
    const isStored = token.storesResponses && channel.settings.storeResponses
    startAttempt(
      askOf(admitted, channel, { model, limit }),
      channel,
      {
        upstream,
        means: meansOf(channel, interruption, this.downloads, { userId: user.id, isStored }),
        interruption,
        coverage: this.options.coverage,
        relayTimeoutMs: config.relayTimeoutMs,
        firstTokenTimeoutMs: config.firstTokenTimeoutMs,
      },
      this,
    )
  }

  onRefusal(error: unknown): void {
    this.watched?.abandoned()
    this.listener.onUntried(error)
  }

  onResult(result: AttemptResult | PassedOver): void {
    try {
      const smaller = smallerLimit(result, this.limit)
      // Once: what is rejected again is no matter of the limit.
      if (smaller !== undefined && this.limit === this.options.limit) {
        this.limit = smaller
        this.send(this.channel as LiveChannel)
      } else this.take(result)
    } catch (error) {
      this.throwOut(error)
    }
  }

  private take(result: AttemptResult | PassedOver): void {
    const { admitted, upstreamModel, options } = this
    const channel = this.channel as LiveChannel
    const watched = this.watched as HealthAttempt
    const { requestId, model } = admitted
    learn(watched, result, () => saidBy(admitted, [model, upstreamModel]))
    const key = channel.keyName?.digest
    if (result.kind === 'passed-over') {
      // Nothing was sent yet, and another channel may be able to.
      const { code, params } = result.refusal
      options.tries.push(
        tryOf(channel, this.startedMs, { status: 0, code, message: 'the channel cannot serve this request' }),
      )
      this.refusal ??= result.refusal
      this.parts.logger.warn({ requestId, channel: channel.id, key, model, code, ...params }, 'channel passed over')
      this.next()
      return
    }
    this.requests += 1
    this.last = { result, channel, upstreamModel, tried: [...this.tried], health: watched }
    if (result.kind !== 'failure') {
      this.conclude()
      return
    }
    const { status, code, message, retry } = result.failure
    options.tries.push(tryOf(channel, this.startedMs, result.failure))
    this.parts.logger.warn(
      { requestId, channel: channel.id, key, model, status, code, reason: message },
      'attempt failed',
    )
    if (retry === 'never') this.conclude()
    else this.next()
  }

  private conclude(): void {
    const { last, health, admitted, tried } = this
    if (!last) {
      const { channels, model } = admitted
      const unwell = setAsideRefusal(health, channels, { passed: [...tried], model }) ?? this.refusal
      if (unwell) {
        this.listener.onUntried(unwell)
        return
      }
    }
    this.listener.onTried(last)
  }

  /** A defect, or a refusal before anything was sent. */
  private throwOut(error: unknown): void {
    this.watched?.abandoned()
    this.listener.onUntried(error)
  }
}

/** An attempt for the log row of a failed relay. `startedMs` is of the monotonic clock. */
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

/** Whom and what a request asks for, as far as health goes. */
export function wantedOf({ model, entry, caller }: Pick<Admitted, 'model' | 'entry' | 'caller'>): Wanted {
  const via = entry.operation === 'chat' ? entry.dialect : entry.operation
  const routed = pricedName(model)
  return { model: routed, asked: model === routed ? undefined : model, via, pinned: caller.pinnedChannelId > 0 }
}

/** A reply that is whole has ended well; one that has begun will be told of when it ends. */
function learn(watched: HealthAttempt, result: AttemptResult | PassedOver, said: () => Said): void {
  if (result.kind === 'failure') watched.failed(result.failure, said)
  else if (result.kind === 'whole') watched.succeeded()
  else if (result.kind === 'stream' || result.kind === 'bytes') watched.answered()
  else watched.abandoned()
}

/** The client's request as one channel's provider sees it. */
function askOf(
  admitted: Admitted,
  channel: LiveChannel,
  { model, limit }: { model: string; limit: number | undefined },
): Ask {
  const { entry, stream, query, headers, clientHeaders, upload } = admitted
  const dialect = DIALECTS[entry.dialect]
  const { systemPrompt, systemPromptOverride: before } = channel.settings
  const known = withKnownBetasInBody(admitted.body, channel.settings)
  const asked = withoutServiceTier(known, channel.settings, entry.operation)
  const unlimited =
    systemPrompt && entry.operation === 'chat' ? dialect.withSystemPrompt(asked, systemPrompt, { before }) : asked
  const unlimitedRaw = unlimited === admitted.body ? admitted.raw : Buffer.from(JSON.stringify(unlimited))
  const body = limit === undefined ? unlimited : dialect.withLimit(unlimited, limit)
  let conversation: Conversation | undefined
  return {
    operation: entry.operation,
    dialect: entry.dialect,
    raw: body === unlimited ? unlimitedRaw : withAdded(unlimitedRaw, { before: unlimited, after: body }),
    body,
    model,
    requestedModel: admitted.model,
    stream,
    query,
    headers: withKnownBetas(headers, channel.settings),
    clientHeaders,
    conversation() {
      conversation ??= withSearchLimit(
        withoutMissingSearch({ ...dialect.parse(body), client: entry.dialect }, channel, model),
        admitted.hosted,
      )
      return conversation
    },
    ...(upload && { upload }),
  }
}

/** The bytes of a body that gained fields: every other byte stays. One in which something else changed is written anew. */
function withAdded(raw: Buffer, { before, after }: { before: Body; after: Body }): Buffer {
  const isKept = Object.keys(before).every((name) => after[name] === before[name])
  if (!isKept) return Buffer.from(JSON.stringify(after))
  const added = Object.entries(after).filter(([name]) => !Object.hasOwn(before, name))
  const fields = JSON.stringify(Object.fromEntries(added)).slice(1, -1)
  const brace = raw.indexOf('{')
  return Buffer.concat([raw.subarray(0, brace + 1), Buffer.from(`${fields},`), raw.subarray(brace + 1)])
}

/** The upstream's name of a model: a channel's mapping is followed to its end; a loop in it is left where it closes. */
export function mappedModel(model: string, mapping: Readonly<Record<string, string>>): string {
  const seen = new Set([model])
  let name = model
  while (Object.hasOwn(mapping, name)) {
    const next = mapping[name] as string
    if (next === '' || seen.has(next)) return name
    seen.add(next)
    name = next
  }
  return name
}
