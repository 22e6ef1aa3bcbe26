import { EventEmitter } from 'node:events'
import type { Actor } from '../../core/actor.ts'
import { channelWithKey } from '../../core/channels/keys/key-ring.ts'
import { RETIRED_CLAUDE_MODELS } from '../../core/channels/kinds/anthropic.ts'
import type { LiveChannel } from '../../core/channels/routing/directory.ts'
import { describeFailure } from '../../core/channels/status/test-decision.ts'
import type { ChannelType } from '../../core/channels/types/channel-type.ts'
import { GatewayError } from '../../core/errors.ts'
import { commaList } from '../../core/input.ts'
import { receiptFields } from '../../core/logs/receipt.ts'
import type { Language } from '../../core/messages/language.ts'
import { BY_USAGE, NEUTRAL, type Price } from '../../core/pricing/price.ts'
import { chargeQuota } from '../../core/pricing/prices.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import type { ProbeGuard } from '../channels/guard.ts'
import { attempt, UNREACHED } from './attempt/attempt.ts'
import { buildTestRequest } from './attempt/test-request.ts'
import { plainUsage } from './charging/usage.ts'
import type { Conversation } from './conversation/conversation.ts'
import { failureText } from './delivery/error.ts'
import type { AbortReason } from './delivery/interruption.ts'
import { DIALECTS } from './dialects/dialects.ts'
import type { Failure, ProviderRequest } from './providers/provider.ts'
import { mappedModel } from './routing/attempts.ts'
import { createOutboundClients } from './transport/outbound-clients.ts'

const FALLBACK_MODEL = 'gpt-4o-mini'
const TIMEOUT_MS = 60_000
/** The price of a test whose model has no price. The log row needs ratios, because clients compute with them. */
const FREE_PRICE: Price = { ...NEUTRAL, modelPrice: BY_USAGE, groupRatio: 1, quotaPerUnit: 1, source: 'default' }
const NO_MEDIA = { bytesMax: 0, allowHosts: [] }

interface ChannelTestResult {
  success: boolean
  /** The reason of the failure. Empty on success. */
  message: string
  /** Duration of the test in seconds. */
  time: number
  model: string
}

/**
 * Sends one small real request through a channel. The message of a failure is in `language`. Throws like `sendTest`.
 */
export async function testChannel(
  toolkit: LocalToolkit,
  actor: Actor,
  id: number,
  { language = 'en', ...options }: TestOptions & { language?: Language } = {},
): Promise<ChannelTestResult> {
  const { failure, seconds: time, model } = await sendTest(toolkit, actor, id, options)
  const message = failure ? describeFailure({ ...failure, message: failureText(failure, language) }) : ''
  return { success: !failure, message, time, model }
}

/**
 * Returns the channel's first model that is not retired. If all models are retired, returns the test model of the
 * channel type, or else the first model. Returns undefined if there is no model at all.
 */
function modelToTest(models: readonly string[], { testModel }: ChannelType): string | undefined {
  return models.find((model) => !RETIRED_CLAUDE_MODELS.has(model)) ?? testModel ?? models[0]
}

interface TestOptions {
  /** The model to test instead of the channel's own test model. */
  model?: string | undefined
  /** The digest of one of the channel's keys, which may be disabled. The default is the first usable key. */
  key?: string | undefined
  /** Ends the test when the signal aborts. */
  signal?: AbortSignal
  /** Restricts the upstream addresses for actors who may not connect to every address. */
  guard?: ProbeGuard | undefined
}

interface SentTest {
  /** Undefined if the test succeeded. */
  failure: Failure | undefined
  seconds: number
  model: string
  /** The digest of the tested key, if the channel has several. */
  key?: string
}

/**
 * Sends a test request through an enabled or disabled channel. Writes an audit row before sending the channel's key.
 * Stores the duration and any failure. A successful test adds a log row, but charges no user. Throws CHANNEL_NOT_FOUND,
 * CHANNEL_TEST_UNSUPPORTED, CHANNEL_KEY_UNKNOWN, the provider's errors, and STOPPING if `signal` ends the test.
 */
export async function sendTest(
  { channels, channelDirectory, pricing, logs, options, audit }: LocalToolkit,
  actor: Actor,
  id: number,
  { model: modelToUse, key: keyDigest, signal, guard }: TestOptions = {},
): Promise<SentTest> {
  const record = await channels.get(actor, id)
  const liveChannel = (await channelDirectory()).find(id)
  if (!liveChannel?.type.family) throw new GatewayError('CHANNEL_TEST_UNSUPPORTED', { type: record.type })
  const channel = keyDigest ? channelWithKey(liveChannel, keyDigest) : (liveChannel.ring?.usable[0] ?? liveChannel)
  if (!channel) throw new GatewayError('CHANNEL_KEY_UNKNOWN', { id, key: keyDigest })
  const key = channel.keyName && { key: channel.keyName.digest }
  const model =
    modelToUse || channel.testModel || modelToTest(commaList(record.models), liveChannel.type) || FALLBACK_MODEL
  const upstreamModel = mappedModel(model, channel.modelMapping)
  const clients = createOutboundClients({
    idleTimeoutMs: TIMEOUT_MS,
    media: NO_MEDIA,
    options,
    guard: guard?.connection,
  })
  const interruption = { signal: new EventEmitter(), cause: undefined as AbortReason | undefined, endAttempt() {} }
  const stop = () => {
    interruption.cause = 'stopping'
    interruption.signal.emit('abort')
  }
  let startedAt = 0
  try {
    if (signal?.aborted) throw new GatewayError('STOPPING')
    await audit.writeAlone(actor, { action: 'channel.test', object: `channel:${id}` })
    signal?.addEventListener('abort', stop)
    startedAt = performance.now()
    const result = await attempt(buildProviderRequest(upstreamModel, model, channel), channel, {
      upstream: clients.upstream,
      context: clients.providerContextFor(channel, interruption),
      interruption,
      relayTimeoutMs: TIMEOUT_MS,
      firstTokenTimeoutMs: 0,
    })
    if (result.kind === 'passed-over') throw result.refusal
    if (result.kind === 'cut') throw new GatewayError('STOPPING')
    if (result.kind === 'failure' && result.failure.code === UNREACHED) await guard?.untilReply(startedAt)
    const milliseconds = performance.now() - startedAt
    const seconds = milliseconds / 1000
    const failure = result.kind === 'failure' ? describeFailure(result.failure) : ''
    await channels.recordTest(actor, id, { milliseconds, failure })
    if (result.kind === 'failure') return { failure: result.failure, seconds, model, ...key }
    const usage = (result.kind === 'bytes' ? undefined : result.meter.usage) ?? plainUsage(0, 0)
    const price = (await pricing.find({ model, group: 'default' })) ?? FREE_PRICE
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
    await clients.close()
  }
}

function buildProviderRequest(model: string, requestedModel: string, { type }: LiveChannel): ProviderRequest {
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
