import type { ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { chooseKey } from '../../core/channels/keys/key-ring.ts'
import type { ChannelDirectory, LiveChannel } from '../../core/channels/routing/directory.ts'
import type { DialectName } from '../../core/channels/routing/operations.ts'
import { pickChannel } from '../../core/channels/routing/routing.ts'
import { GatewayError } from '../../core/errors.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { channelsFor, forwardedHeaders, groupOf, parseBody, queryOf, withoutKey } from './admission/admission.ts'
import { type Caller, objectOwnerOf } from './admission/authenticate.ts'
import { normalizeBody } from './admission/normalize-body.ts'
import { withKnownBetas } from './attempt/betas.ts'
import { estimatePrompt, type PromptSize } from './counting/prompt.ts'
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
 * Counts the tokens of a request free of charge: by an upstream that supports it, else locally. Throws like a relay of the
 * request.
 */
export type TokenCounter = (
  request: FastifyRequest,
  response: ServerResponse,
  how: { dialect: DialectName; model?: string; check?: (body: Body) => void; prompt: (body: Body) => PromptSize },
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
  return async (request, response, { dialect, model: named, check, prompt }) => {
    const query = queryOf(request)
    const caller = request.caller as Caller
    const received = request.body as Buffer
    const { raw, body } = normalizeBody(received, parseBody(received), request.bodyKeys)
    const model = named ?? body.model
    if (typeof model !== 'string' || model === '') throw new GatewayError('MODEL_REQUIRED')
    check?.(body)
    const served = channelsFor(caller, { model, group: groupOf(caller, toolkit.options), directory })
    const references = referencesIn(body)
    const { channels } =
      references.length === 0
        ? { channels: served }
        : await withObjects(served, references, { ...toolkit, owner: objectOwnerOf(caller) })
    const counts = ({ type }: LiveChannel) => type.family !== undefined && Boolean(PROVIDERS[type.family].countTokens)
    const picked = pickChannel(channels, counts, Math.random)
    const asked = picked?.keyName ? picked : picked && chooseKey(picked, () => true, Math.random)
    if (asked) {
      const interruption = new Interruption(response)
      const ask = {
        operation: 'chat' as const,
        dialect,
        raw,
        body,
        model: mappedModel(model, asked.modelMapping),
        requestedModel: model,
        stream: false,
        query: withoutKey(query),
        headers: withKnownBetas(forwardedHeaders(request, caller), asked.settings),
        conversation: () => DIALECTS[dialect].parse(body),
      }
      try {
        const provider = providerFor(asked.type)
        const tokens = await provider.countTokens?.(ask, asked, links.providerContextFor(asked, interruption))
        if (tokens !== undefined) return tokens
      } catch {
        // Clients that poll this call need a fast number more than an exact one.
      }
    }
    const { texts, ...rest } = prompt(body)
    return (await tokenizer.count(model, texts, { isFree: true })) + estimatePrompt({ ...rest, texts: [] }, model)
  }
}
