import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { ChannelDirectory, LiveChannel } from '../../core/channels/directory.ts'
import type { ChannelHealth } from '../../core/channels/health/health.ts'
import { GatewayError } from '../../core/errors.ts'
import { OPTIONS } from '../../core/options/registry.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { type Admitted, channelsFor, forwardedHeaders, groupOf, queryOf, withoutKey } from './admission/admission.ts'
import { identify, keyOf } from './admission/authenticate.ts'
import type { Entry } from './admission/entry.ts'
import { findSensitive } from './admission/sensitive.ts'
import { writtenTexts } from './admission/written-texts.ts'
import { withOverrides } from './attempt/overrides.ts'
import { toCharge } from './charging/charge.ts'
import { holdFor } from './charging/hold.ts'
import type { Tokenizer } from './counting/tokenizer.ts'
import { createRealtime, type EndedSession, type Realtime } from './endpoints/realtime.ts'
import { transcriptionModelsOf } from './endpoints/realtime-events.ts'
import { hostedRefusal } from './hosted/session-refusal.ts'
import type { Json } from './json.ts'
import type { Provider } from './providers/provider.ts'
import { providerFor } from './providers/providers.ts'
import { wantedOf } from './routing/attempts.ts'
import type { Links } from './transport/links.ts'

export type Sessions = Realtime<Admitted>

const ENTRY: Entry = { operation: 'realtime', dialect: 'openai-chat' }

/** Realtime sessions, over what all relays share. */
export function createSessions({
  toolkit,
  links,
  tokenizer,
  health,
  logger,
}: {
  toolkit: LocalToolkit
  links: Pick<Links, 'upstream' | 'meansOf'>
  tokenizer: Tokenizer
  health: ChannelHealth
  logger: Logger
}): Sessions {
  const { ledger, options, pricing } = toolkit

  async function settle(session: EndedSession<Admitted>): Promise<void> {
    const { admitted, hold, channel, upstreamModel, tried, startedAt, firstTokenAt, endedAt, end, bill } = session
    const served = { channel, upstreamModel, tried }
    const relay = { admitted, hold, served, startedAt, firstTokenAt, isStream: true }
    await ledger.settle(hold, toCharge(relay, { bill, end, endedAt, priceVersion: pricing.version }))
  }

  return createRealtime<Admitted>({
    hold: async ({ caller }, quota) => holdFor(toolkit, caller, { quota }),
    ledger,
    refuse: (admitted, event) =>
      foreignTranscription(admitted, event) ??
      hostedRefusal(event, admitted, pricing) ??
      findSensitive({ toolkit, logger }, { ...admitted, operation: 'realtime' }, () => writtenTexts(event)),
    settle,
    providerOf,
    meansOf: links.meansOf,
    agentOf: links.upstream.agent,
    health: (admitted) => health.begin(wantedOf(admitted)),
    attemptsMax: ({ caller }) => (caller.pinnedChannelId ? 1 : 1 + options.get(OPTIONS.RetryTimes)),
    aheadTokens: () => options.get(OPTIONS.PreConsumedQuota),
    tokenizer,
    logger,
  })
}

/** Why a limited key may not have the transcriptions that an event asks for: each must name a model of the key's list. */
function foreignTranscription({ caller }: Admitted, event: Json): GatewayError | undefined {
  const { models } = caller.token
  // An administrator who names a channel is not limited to models.
  if (!models || caller.pinnedChannelId) return undefined
  for (const model of transcriptionModelsOf(event)) {
    if (model === undefined || model === null) return new GatewayError('MODEL_REQUIRED')
    if (typeof model !== 'string' || !models.has(model)) {
      return new GatewayError('TOKEN_MODEL', { model: String(model).slice(0, 100) })
    }
  }
  return undefined
}

/** A channel's provider, its requests with what the channel lays over them. */
function providerOf({ type }: LiveChannel): Pick<Provider, 'plan' | 'failure'> {
  const provider = providerFor(type)
  return {
    failure: (...answer) => provider.failure(...answer),
    async plan(ask, channel, means) {
      const plan = await provider.plan(ask, channel, means)
      return { ...plan, request: withOverrides(plan.request, { ask, channel, native: true }) }
    },
  }
}

/**
 * A request for a session: its model stands in the query. Throws TOKEN_*, MODEL_*, NO_CHANNEL, OPERATION_UNSUPPORTED,
 * CHANNEL_*.
 */
export async function admitSession(
  request: FastifyRequest,
  { toolkit, directory }: { toolkit: LocalToolkit; directory: ChannelDirectory },
): Promise<Admitted> {
  const query = queryOf(request)
  const caller = await identify(toolkit, { key: keyOf(request.headers, query), address: request.ip })
  const group = groupOf(caller, toolkit.options)
  const model = new URLSearchParams(query).get('model') ?? ''
  if (model === '') throw new GatewayError('MODEL_REQUIRED')
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
    query: withoutKey(query),
    headers: { ...forwardedHeaders(request, caller.user.id), ...betaInProtocols(request.headers) },
    clientHeaders: request.headers,
  }
}

/** The beta version that a client names as a subprotocol, as a header. OpenAI rejects the version unless the client needs it. */
function betaInProtocols({ 'sec-websocket-protocol': protocols }: IncomingHttpHeaders): Record<string, string> {
  const isBeta = protocols?.split(',').some((protocol) => protocol.trim() === 'openai-beta.realtime-v1')
  return isBeta ? { 'openai-beta': 'realtime=v1' } : {}
}
