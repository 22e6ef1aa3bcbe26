import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import type { Admitted } from '../admission/admission.ts'
import { withKnownBetas, withKnownBetasInBody } from '../attempt/betas.ts'
import { withoutServiceTier } from '../attempt/service-tier.ts'
import { refuseUnknownChoice } from '../conversation/client-fields.ts'
import type { Conversation } from '../conversation/conversation.ts'
import type { Body } from '../dialects/dialect.ts'
import { DIALECTS } from '../dialects/dialects.ts'
import { withSearchLimit } from '../hosted/call-limit.ts'
import { withoutMissingSearch } from '../hosted/omitted.ts'
import type { ProviderRequest } from '../providers/provider.ts'

/**
 * Returns the client's request as input for a channel's provider. `model` is the upstream's name of the model.
 *
 * `limit` is the output limit in tokens to add, if any.
 */
export function providerRequestOf(
  admitted: Admitted,
  channel: LiveChannel,
  { model, limit }: { model: string; limit: number | undefined },
): ProviderRequest {
  const { entry, stream, query, headers, clientHeaders, upload } = admitted
  const dialect = DIALECTS[entry.dialect]
  const { systemPrompt, systemPromptOverride: before } = channel.settings
  const withBetas = withKnownBetasInBody(admitted.body, channel.settings)
  const withoutTier = withoutServiceTier(withBetas, channel.settings, entry.operation)
  const unlimitedBody =
    systemPrompt && entry.operation === 'chat'
      ? dialect.withSystemPrompt(withoutTier, systemPrompt, { before })
      : withoutTier
  const unlimitedRaw = unlimitedBody === admitted.body ? admitted.raw : Buffer.from(JSON.stringify(unlimitedBody))
  const body = limit === undefined ? unlimitedBody : dialect.withLimit(unlimitedBody, limit)
  let conversation: Conversation | undefined
  return {
    operation: entry.operation,
    dialect: entry.dialect,
    raw: body === unlimitedBody ? unlimitedRaw : withAddedFields(unlimitedRaw, { before: unlimitedBody, after: body }),
    body,
    model,
    requestedModel: admitted.model,
    stream,
    query,
    headers: withKnownBetas(headers, channel.settings),
    clientHeaders,
    conversation() {
      if (conversation) return conversation
      const parsed = { ...dialect.parse(body), client: entry.dialect }
      refuseUnknownChoice(parsed)
      conversation = withSearchLimit(withoutMissingSearch(parsed, channel, model), admitted.hosted)
      return conversation
    },
    ...(upload && { upload }),
  }
}

/**
 * Returns the bytes of `after`. If `after` only adds fields to `before`, inserts these fields into `raw`, so that the
 * other bytes do not change.
 */
function withAddedFields(raw: Buffer, { before, after }: { before: Body; after: Body }): Buffer {
  const isUnchanged = Object.keys(before).every((name) => after[name] === before[name])
  if (!isUnchanged) return Buffer.from(JSON.stringify(after))
  const addedFields = Object.entries(after).filter(([name]) => !Object.hasOwn(before, name))
  const fields = JSON.stringify(Object.fromEntries(addedFields)).slice(1, -1)
  const brace = raw.indexOf('{')
  return Buffer.concat([raw.subarray(0, brace + 1), Buffer.from(`${fields},`), raw.subarray(brace + 1)])
}
