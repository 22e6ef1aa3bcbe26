import type { ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { chooseKey } from '../../core/channels/keys/key-ring.ts'
import type { ChannelDirectory, LiveChannel } from '../../core/channels/routing/directory.ts'
import type { DialectName } from '../../core/channels/routing/operations.ts'
import { pickChannel } from '../../core/channels/routing/routing.ts'
import { GatewayError } from '../../core/errors.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { forwardedHeaders, groupOf, parseBody, queryOf, withoutKey } from './admission/admission.ts'
import { type Caller, objectOwnerOf } from './admission/authenticate.ts'
import { channelsFor } from './admission/channels-for.ts'
import { normalizeBody } from './admission/normalize-body.ts'
import { withKnownBetas } from './attempt/betas.ts'
import { estimatePrompt, type PromptContents } from './counting/prompt.ts'
import type { Tokenizer } from './counting/tokenizer.ts'
import { Interruption } from './delivery/interruption.ts'
import type { Body } from './dialects/dialect.ts'
import { DIALECTS } from './dialects/dialects.ts'
import { withObjects } from './hosted/admit-hosted.ts'
import { referencesIn } from './hosted/references.ts'
import { PROVIDERS, providerFor } from './providers/providers.ts'
import { mappedModel } from './routing/attempts.ts'
import type { OutboundClients } from './transport/outbound-clients.ts'

/**
 * Counts the tokens of a request free of charge: at an upstream that can count tokens, or else locally. Rejects an
 * invalid request, and a model that the key cannot use, with the error of a relay.
 */
export type TokenCounter = (
  request: FastifyRequest,
  response: ServerResponse,
  how: { dialect: DialectName; model?: string; check?: (body: Body) => void; prompt: (body: Body) => PromptContents },
) => Promise<number>

export function createTokenCounter({
  toolkit,
  directory,
  links,
  tokenizer,
}: {
  toolkit: LocalToolkit
  directory: ChannelDirectory
  links: OutboundClients
  tokenizer: Tokenizer
}): TokenCounter {
  return async (request, response, { dialect, model: pathModel, check, prompt }) => {
    const query = queryOf(request)
    const caller = request.caller as Caller
    const received = request.body as Buffer
    const { raw, body } = normalizeBody(received, parseBody(received), request.bodyKeys)
    const model = pathModel ?? body.model
    if (typeof model !== 'string' || model === '') throw new GatewayError('MODEL_REQUIRED')
    check?.(body)
    const servingChannels = channelsFor(caller, { model, group: groupOf(caller, toolkit.options), directory })
    const references = referencesIn(body)
    const { channels } =
      references.length === 0
        ? { channels: servingChannels }
        : await withObjects(servingChannels, references, { ...toolkit, owner: objectOwnerOf(caller) })
    const countsTokens = ({ type }: LiveChannel) =>
      type.family !== undefined && Boolean(PROVIDERS[type.family].countTokens)
    const candidate = pickChannel(channels, countsTokens, Math.random)
    const channel = candidate?.keyName ? candidate : candidate && chooseKey(candidate, () => true, Math.random)
    if (channel) {
      const interruption = new Interruption(response)
      const ask = {
        operation: 'chat' as const,
        dialect,
        raw,
        body,
        model: mappedModel(model, channel.modelMapping),
        requestedModel: model,
        stream: false,
        query: withoutKey(query),
        headers: withKnownBetas(forwardedHeaders(request, caller), channel.settings),
        conversation: () => DIALECTS[dialect].parse(body),
      }
      try {
        const provider = providerFor(channel.type)
        const tokens = await provider.countTokens?.(ask, channel, links.providerContextFor(channel, interruption))
        if (tokens !== undefined) return tokens
      } catch {
        // Do not retry, but count locally. Clients call this route often, and a fast reply matters more than an exact
        // number.
      }
    }
    const { texts, ...otherSizes } = prompt(body)
    return (await tokenizer.count(model, texts, { isFree: true })) + estimatePrompt({ ...otherSizes, texts: [] }, model)
  }
}
