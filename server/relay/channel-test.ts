import { EventEmitter } from 'node:events'
import type { Actor } from '../../core/actor.ts'
import { channelWithKey } from '../../core/channels/keys/key-ring.ts'
import { RETIRED_CLAUDE_MODELS } from '../../core/channels/kinds/anthropic.ts'
import type { LiveChannel } from '../../core/channels/routing/directory.ts'
import type { ChannelType } from '../../core/channels/types/channel-type.ts'
import { GatewayError } from '../../core/errors.ts'
import { commaList } from '../../core/input.ts'
import { receiptFields } from '../../core/logs/receipt.ts'
import { BY_USAGE, NEUTRAL, type Price } from '../../core/pricing/price.ts'
import { chargeQuota } from '../../core/pricing/prices.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import type { Guard } from '../channels/guard.ts'
import { attempt, UNREACHED } from './attempt/attempt.ts'
import { buildTestRequest } from './attempt/test-request.ts'
import { plainUsage } from './charging/usage.ts'
import type { Conversation } from './conversation/conversation.ts'
import type { AbortReason } from './delivery/interruption.ts'
import { DIALECTS } from './dialects/dialects.ts'
import type { Failure, ProviderRequest } from './providers/provider.ts'
import { mappedModel } from './routing/attempts.ts'
import { createOutboundClients } from './transport/outbound-clients.ts'

const FALLBACK_MODEL = 'gpt-4o-mini'
const TIMEOUT_MS = 60_000
/** Price of a model that has none: it costs nothing, but clients still compute with the ratios of each log row. */
const FREE: Price = { ...NEUTRAL, modelPrice: BY_USAGE, groupRatio: 1, quotaPerUnit: 1, source: 'default' }
const NO_MEDIA = { bytesMax: 0, allowHosts: [] }

export interface ChannelTestResult {
  success: boolean
  /** The reason of the failure; empty on success. */
  message: string
  /** Seconds. */
  time: number
  model: string
}

/** Sends one small real request through a channel. Throws like `sendTest`; returns an upstream failure as a result. */
export async function testChannel(
  toolkit: LocalToolkit,
  actor: Actor,
  id: number,
  options?: TestOptions,
): Promise<ChannelTestResult> {
  const { failure, seconds: time, model } = await sendTest(toolkit, actor, id, options)
  const message = failure ? textOf(failure) : ''
  return { success: !failure, message, time, model }
}

const textOf = ({ status, message }: Failure): string => `status code ${status}: ${message}`

/** Returns the first model of a channel that its vendor has not retired. All presets of some types are retired. */
function modelToTest(models: readonly string[], { testModel }: ChannelType): string | undefined {
  return models.find((model) => !RETIRED_CLAUDE_MODELS.has(model)) ?? testModel ?? models[0]
}

export interface TestOptions {
  /** Instead of the channel's own test model. */
  model?: string | undefined
  /** The digest of one of several keys, disabled or not; absent = the first usable key. */
  key?: string | undefined
  /** Ends the test. */
  signal?: AbortSignal
  /** Restricts addresses, for actors who may not reach every address. */
  guard?: Guard | undefined
}

export interface SentTest {
  failure: Failure | undefined
  seconds: number
  model: string
  /** The digest of the tested key, if the channel has several. */
  key?: string
}

/**
 * Sends the request, even over a disabled channel, and stores its duration. Writes a log row, charges no user, and adds
 * an audit row before sending the key.
 * Throws CHANNEL_NOT_FOUND, CHANNEL_TEST_UNSUPPORTED, CHANNEL_KEY_UNKNOWN, and STOPPING when `signal` ends the test.
 */
export async function sendTest(
  { channels, channelDirectory, pricing, logs, options, audit }: LocalToolkit,
  actor: Actor,
  id: number,
  { model: wanted, key: named, signal, guard }: TestOptions = {},
): Promise<SentTest> {
  const record = await channels.get(actor, id)
  const live = (await channelDirectory()).find(id)
  if (!live?.type.family) throw new GatewayError('CHANNEL_TEST_UNSUPPORTED', { type: record.type })
  const channel = named ? channelWithKey(live, named) : (live.ring?.usable[0] ?? live)
  if (!channel) throw new GatewayError('CHANNEL_KEY_UNKNOWN', { id, key: named })
  const key = channel.keyName && { key: channel.keyName.digest }
  const model = wanted || channel.testModel || modelToTest(commaList(record.models), live.type) || FALLBACK_MODEL
  const upstreamModel = mappedModel(model, channel.modelMapping)
  const links = createOutboundClients({ idleTimeoutMs: TIMEOUT_MS, media: NO_MEDIA, options, guard: guard?.connection })
  const interruption = { signal: new EventEmitter(), cause: undefined as AbortReason | undefined, endAttempt() {} }
  const stop = () => {
    interruption.cause = 'stopping'
    interruption.signal.emit('abort')
  }
  let started = 0
  try {
    if (signal?.aborted) throw new GatewayError('STOPPING')
    await audit.writeAlone(actor, { action: 'channel.test', object: `channel:${id}` })
    signal?.addEventListener('abort', stop)
    started = performance.now()
    const timeouts = { relayTimeoutMs: TIMEOUT_MS, firstTokenTimeoutMs: 0 }
    const means = links.providerContextFor(channel, interruption)
    const { upstream } = links
    const result = await attempt(testAsk(upstreamModel, model, channel), channel, {
      upstream,
      means,
      interruption,
      ...timeouts,
    })
    if (result.kind === 'passed-over') throw result.refusal
    if (result.kind === 'cut') throw new GatewayError('STOPPING')
    if (result.kind === 'failure' && result.failure.code === UNREACHED) await guard?.untilReply(started)
    const milliseconds = performance.now() - started
    const seconds = milliseconds / 1000
    const failure = result.kind === 'failure' ? textOf(result.failure) : ''
    await channels.recordTest(actor, id, { milliseconds, failure })
    if (result.kind === 'failure') return { failure: result.failure, seconds, model, ...key }
    const usage = (result.kind === 'bytes' ? undefined : result.meter.usage) ?? plainUsage(0, 0)
    const price = (await pricing.find({ model, group: 'default' })) ?? FREE
    await logs.writeTest({
      channelId: id,
      model,
      promptTokens: usage.promptTokens,
      completionTokens: usage.completionTokens,
      quota: chargeQuota({ ...price, groupRatio: 1 }, usage),
      useTimeSeconds: Math.round(seconds),
      other: JSON.stringify(receiptFields({ ...price, groupRatio: 1 }, usage)),
    })
    return { failure: undefined, seconds, model, ...key }
  } finally {
    signal?.removeEventListener('abort', stop)
    await links.close()
  }
}

function testAsk(model: string, requestedModel: string, { type }: LiveChannel): ProviderRequest {
  const { operation, body } = buildTestRequest(model, type)
  let conversation: Conversation | undefined
  return {
    operation,
    dialect: 'openai-chat',
    raw: Buffer.from(JSON.stringify(body)),
    body,
    model,
    requestedModel,
    stream: false,
    query: '',
    headers: {},
    clientHeaders: {},
    conversation() {
      conversation ??= DIALECTS['openai-chat'].parse(body)
      return conversation
    },
  }
}
