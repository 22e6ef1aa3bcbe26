import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { ChannelHealth } from '../../core/channels/health/health.ts'
import type { ChannelDirectory, LiveChannel } from '../../core/channels/routing/directory.ts'
import { GatewayError } from '../../core/errors.ts'
import { OPTIONS } from '../../core/options/registry.ts'
import { REALTIME_KEY_PREFIX, type RealtimeKey } from '../../core/realtime-keys.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import type { BodyBudget } from '../bodies/budget.ts'
import { jsonLimits } from '../bodies/json-scan.ts'
import { type Admitted, forwardedHeaders, groupOf, queryOf, withoutKey } from './admission/admission.ts'
import { apiKeyOf, type Caller, callerOfToken, identifyCaller } from './admission/authenticate.ts'
import { channelsFor } from './admission/channels-for.ts'
import type { RelayEntry } from './admission/entry.ts'
import { extractText } from './admission/extract-text.ts'
import { findSensitive } from './admission/sensitive.ts'
import { withOverrides } from './attempt/overrides.ts'
import { toCharge } from './charging/charge.ts'
import { holdFor } from './charging/hold.ts'
import type { Tokenizer } from './counting/tokenizer.ts'
import { createRealtime, type EndedSession, type Realtime, type RealtimeAdmitted } from './endpoints/realtime.ts'
import { transcriptionModelsOf } from './endpoints/realtime-events.ts'
import { hostedRefusal } from './hosted/session-refusal.ts'
import type { Json } from './json.ts'
import { takeLimitsOf } from './limits/take-limits.ts'
import type { Provider } from './providers/provider.ts'
import { providerFor } from './providers/providers.ts'
import { circuitQueryOf } from './routing/attempts.ts'
import type { OutboundClients } from './transport/outbound-clients.ts'

export type RealtimeSessions = Realtime<Admitted>

const ENTRY: RelayEntry = { operation: 'realtime', dialect: 'openai-chat' }

/** Creates the realtime sessions with the dependencies that all relays share. */
export function createRealtimeSessions({
  toolkit,
  links,
  tokenizer,
  health,
  logger,
  idleMs,
  bodies,
  bodyItemsMax,
}: {
  toolkit: LocalToolkit
  links: Pick<OutboundClients, 'upstream' | 'providerContextFor'>
  tokenizer: Tokenizer
  health: ChannelHealth
  logger: Logger
  idleMs: number
  bodies: BodyBudget
  bodyItemsMax: number
}): RealtimeSessions {
  const { ledger, options, pricing } = toolkit

  async function settle(session: EndedSession<Admitted>): Promise<void> {
    const { admitted, hold, channel, upstreamModel, tried, startedAt, firstTokenAt, endedAt, end, bill } = session
    const served = { channel, upstreamModel, tried }
    const relay = { admitted, hold, served, startedAt, firstTokenAt, isStream: true, isDelivered: true }
    await ledger.settle(hold, toCharge(relay, { bill, end, endedAt, priceVersion: pricing.version }))
  }

  return createRealtime<Admitted>({
    async hold({ caller, group, model, address = '' }, quota) {
      const hold = await holdFor(toolkit, caller, { quota })
      return takeLimitsOf(toolkit, { ...caller, group, model, address }, { hold })
    },
    ledger,
    refuse: (admitted, event) =>
      foreignTranscription(admitted, event) ??
      hostedRefusal(event, admitted, pricing) ??
      findSensitive({ toolkit, logger }, { ...admitted, operation: 'realtime' }, () => extractText(event)),
    settle,
    providerOf,
    providerContextFor: links.providerContextFor,
    agentOf: links.upstream.agent,
    health: (admitted) => health.begin(circuitQueryOf(admitted)),
    attemptsMax: ({ caller }) => (caller.pinnedChannelId ? 1 : 1 + options.get(OPTIONS.RetryTimes)),
    receiving: ({ caller, address = '' }) => bodies.open({ address, userId: caller.user.id }),
    limits: jsonLimits(bodyItemsMax),
    aheadTokens: () => options.get(OPTIONS.PreConsumedQuota),
    tokenizer,
    logger,
    idleMs,
  })
}

/** Returns an error if the event requests transcription by a model that the key's model list does not contain. */
function foreignTranscription({ caller }: Admitted, event: Json): GatewayError | undefined {
  const { models } = caller.token
  // The model list does not apply to an administrator who pins a channel.
  if (!models || caller.pinnedChannelId) return undefined
  for (const model of transcriptionModelsOf(event)) {
    if (model === undefined || model === null) return new GatewayError('MODEL_REQUIRED')
    if (typeof model !== 'string' || !models.has(model)) {
      return new GatewayError('TOKEN_MODEL', { model: String(model).slice(0, 100) })
    }
  }
  return undefined
}

/** Returns the provider of a channel. The plans of this provider include the channel's overrides. */
function providerOf({ type }: LiveChannel): Pick<Provider, 'plan' | 'failure'> {
  const provider = providerFor(type)
  return {
    failure: (...reply) => provider.failure(...reply),
    async plan(ask, channel, context) {
      const plan = await provider.plan(ask, channel, context)
      return { ...plan, request: withOverrides(plan.request, { ask, channel, native: true }) }
    },
  }
}

/**
 * Admits a request for a realtime session. If the query names no model, uses the model of the ephemeral key. Throws
 * TOKEN_*, USER_DISABLED, GROUP_RETIRED, MODEL_*, NO_CHANNEL, OPERATION_UNSUPPORTED, CHANNEL_*, CHANNELS_DISABLED.
 */
export async function admitSession(
  request: FastifyRequest,
  { toolkit, directory }: { toolkit: LocalToolkit; directory: ChannelDirectory },
): Promise<Admitted & Pick<RealtimeAdmitted, 'initialSession'>> {
  const query = queryOf(request)
  const key = apiKeyOf(request.headers, query)
  const { caller, realtimeKey } = await identifySession(toolkit, { key, address: request.ip })
  const group = groupOf(caller, toolkit.options)
  const queryModel = new URLSearchParams(query).get('model') ?? ''
  const model = queryModel || (realtimeKey?.model ?? '')
  if (model === '') throw new GatewayError('MODEL_REQUIRED')
  if (realtimeKey && model !== realtimeKey.model) throw new GatewayError('TOKEN_MODEL', { model })
  const channels = channelsFor(caller, { model, group, operation: 'realtime', directory })
  const price = await toolkit.pricing.find({ model, group })
  if (!price) throw new GatewayError('MODEL_PRICE_MISSING', { model })
  return {
    requestId: request.id,
    entry: ENTRY,
    caller,
    group,
    model,
    price,
    prompt: { texts: [], otherTokens: 0 },
    completionTokens: 0,
    choices: 1,
    raw: Buffer.alloc(0),
    body: {},
    stream: true,
    channels,
    query: withModel(withoutKey(query), model),
    ...(realtimeKey && { initialSession: realtimeKey.session }),
    headers: { ...forwardedHeaders(request, caller), ...betaInProtocols(request.headers) },
    clientHeaders: request.headers,
    address: request.ip,
  }
}

/** Adds the model to the query if the query names no model. */
function withModel(query: string, model: string): string {
  const params = new URLSearchParams(query)
  return params.get('model') ? query : `${query}${query && '&'}model=${encodeURIComponent(model)}`
}

/** Returns the header `openai-beta` if a websocket subprotocol requests the beta version, or else no header. */
function betaInProtocols({ 'sec-websocket-protocol': protocols }: IncomingHttpHeaders): Record<string, string> {
  const isBeta = protocols?.split(',').some((protocol) => protocol.trim() === 'openai-beta.realtime-v1')
  return isBeta ? { 'openai-beta': 'realtime=v1' } : {}
}

/**
 * Identifies the caller of a realtime session by an API key or an ephemeral key. An ephemeral key was created with an
 * API key, and is valid only while that API key is valid. Throws TOKEN_*, USER_DISABLED, CHANNEL_*,
 * DATABASE_UNAVAILABLE.
 */
async function identifySession(
  toolkit: Pick<LocalToolkit, 'callers' | 'tokens' | 'realtimeKeys'>,
  { key, address }: { key: string; address: string },
): Promise<{ caller: Caller; realtimeKey: RealtimeKey | undefined }> {
  if (!key.startsWith(REALTIME_KEY_PREFIX)) {
    return { caller: await identifyCaller(toolkit, { key, address }), realtimeKey: undefined }
  }
  const realtimeKey = await toolkit.realtimeKeys.find(key)
  if (!realtimeKey) throw new GatewayError('TOKEN_INVALID')
  const { tokenId, pinnedChannelId } = realtimeKey
  const caller = await callerOfToken(toolkit.callers, { tokenId, pinnedChannelId, address, now: Date.now() / 1000 })
  return { caller, realtimeKey }
}
