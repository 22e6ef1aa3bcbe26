import type { Logger } from 'pino'
import type { LiveChannel } from '../../../core/channels/directory.ts'
import type { ChannelHealth } from '../../../core/channels/health/health.ts'
import type { Attempt as HealthAttempt } from '../../../core/channels/health/relay-health.ts'
import type { Said } from '../../../core/channels/health/said.ts'
import type { Wanted } from '../../../core/channels/health/subjects.ts'
import { pickChannel } from '../../../core/channels/routing.ts'
import type { Config } from '../../../core/config.ts'
import type { GatewayError } from '../../../core/errors.ts'
import type { FailedTry } from '../../../core/logs/failures.ts'
import { pricedName } from '../../../core/pricing/names.ts'
import type { Admitted } from '../admission/admission.ts'
import { type AttemptResult, attempt, type PassedOver } from '../attempt/attempt.ts'
import { withKnownBetas, withKnownBetasInBody } from '../attempt/betas.ts'
import { saidBy } from '../attempt/client-words.ts'
import { Downloads } from '../attempt/downloads.ts'
import { smallerLimit } from '../attempt/limit-rejection.ts'
import type { MeansOf } from '../attempt/means.ts'
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

/**
 * Asks healthy channels until one answers, each at most once, 1 + `retries` of them at most. Undefined: it was cut before.
 * Throws CHANNELS_LIMITED and CHANNELS_UNHEALTHY when none was asked because of their health, else the first refusal; and
 * a refusal that an upstream's reply amounts to.
 */
export async function tryChannels(
  admitted: Admitted,
  interruption: Interruption,
  {
    upstream,
    meansOf,
    config,
    retries,
    random,
    health: channelHealth,
    coverage,
    limit,
    tries,
    logger,
  }: {
    upstream: Upstream
    meansOf: MeansOf
    config: Pick<Config, 'relayTimeoutMs' | 'firstTokenTimeoutMs'>
    retries: number
    /** What channels are chosen by, in [0, 1). */
    random: () => number
    health: Pick<ChannelHealth, 'begin'>
    coverage: Coverage
    /** The limit of each reply, for a conversation whose client names none. */
    limit?: number | undefined
    /** Gets every attempt that failed. */
    tries: FailedTry[]
    logger: Logger
  },
): Promise<Tried | undefined> {
  const { channels, caller, model, requestId } = admitted
  const { relayTimeoutMs, firstTokenTimeoutMs } = config
  const attemptsMax = caller.pinnedChannelId ? 1 : 1 + retries
  const tried = new Set<number>()
  const health = channelHealth.begin(wantedOf(admitted))
  refuseSetAside(health, channels, model)
  const may = (channel: LiveChannel) => !tried.has(channel.id) && health.allows(channel)
  const downloads = new Downloads()
  let asked = 0
  let last: Tried | undefined
  let refusal: GatewayError | undefined
  while (asked < attemptsMax) {
    let picked = pickChannel(channels, may, random)
    if (picked && last) {
      await backOff(tried.size)
      // Others have asked it meanwhile.
      if (!may(picked)) picked = pickChannel(channels, may, random)
    }
    // What a key has stored, only that key finds.
    const channel = picked?.keyName ? picked : picked && health.withKey(picked, random)
    if (!channel) break
    if (interruption.cause || interruption.isDisconnected) return last && { ...last, result: { kind: 'cut' } }
    tried.add(channel.id)
    const key = channel.keyName?.digest
    const startedMs = performance.now()
    const watched = health.attempt(channel)
    const upstreamModel = mappedModel(model, channel.modelMapping)
    const means = meansOf(channel, interruption, downloads)
    const timeouts = { relayTimeoutMs, firstTokenTimeoutMs }
    const parts = { upstream, means, interruption, coverage, ...timeouts }
    const attemptWith = (tokens: number | undefined) =>
      attempt(askOf(admitted, channel, { model: upstreamModel, limit: tokens }), channel, parts)
    let result: AttemptResult | PassedOver
    try {
      result = await attemptWith(limit)
      const smaller = smallerLimit(result, limit)
      if (smaller !== undefined) result = await attemptWith(smaller)
    } catch (error) {
      watched.abandoned()
      throw error
    }
    learn(watched, result, () => saidBy(admitted, [model, upstreamModel]))
    if (result.kind === 'passed-over') {
      // Nobody was asked yet, and another channel may be able to.
      const { code, params } = result.refusal
      tries.push(tryOf(channel, startedMs, { status: 0, code, message: 'the channel cannot serve this request' }))
      refusal ??= result.refusal
      logger.warn({ requestId, channel: channel.id, key, model, code, ...params }, 'channel passed over')
      continue
    }
    asked += 1
    last = { result, channel, upstreamModel, tried: [...tried], health: watched }
    if (result.kind !== 'failure') break
    const { status, code, message, retry } = result.failure
    tries.push(tryOf(channel, startedMs, result.failure))
    logger.warn({ requestId, channel: channel.id, key, model, status, code, reason: message }, 'attempt failed')
    if (retry === 'never') break
  }
  if (!last) {
    const unwell = setAsideRefusal(health, channels, { passed: tried, model }) ?? refusal
    if (unwell) throw unwell
  }
  return last
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
