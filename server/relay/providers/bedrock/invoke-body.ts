import { withInlineMedia } from '../../conversation/media.ts'
import { arrayOf, type Json, textOf } from '../../json.ts'
import { withInlineSources } from '../anthropic/inline-sources.ts'
import { messagesBody } from '../anthropic/messages-body.ts'
import { withClaudeThinking } from '../anthropic/native-messages.ts'
import { isClaudeThought } from '../anthropic/turn-blocks.ts'
import type { ProviderContext, ProviderRequest } from '../provider.ts'
import { withRememberedThoughts } from '../remembered-thoughts.ts'

const VERSION = 'bedrock-2023-05-31'

/**
 * Returns a Messages body for Bedrock, with the version, the betas, and all media as base64. The body has no model,
 * because the URL names the model. If the client uses the Messages API, its other fields remain. Throws REQUEST_MALFORMED, MEDIA_REFUSED,
 * MEDIA_UNAVAILABLE.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html
 */
export async function invokeBody(
  ask: Pick<ProviderRequest, 'body' | 'headers' | 'model' | 'dialect' | 'conversation'>,
  means: Pick<ProviderContext, 'download' | 'signatures'>,
): Promise<Json> {
  const body =
    ask.dialect === 'anthropic-messages'
      ? { ...withClaudeThinking(ask.body, ask.model), messages: await withInlineSources(ask.body.messages, means) }
      : messagesBody(await withInlineMedia(await withReasoning(ask, means), means), {
          model: ask.model,
          images: 'base64',
        })
  // Bedrock rejects service tiers, which only Anthropic's own API has.
  const { model: _, stream: __, service_tier: ___, ...rest }: Json = body
  const betas = [...arrayOf(rest.anthropic_beta), ...betasOf(ask.headers['anthropic-beta'])]
  return {
    ...rest,
    anthropic_version: textOf(rest.anthropic_version) ?? VERSION,
    ...(betas.length > 0 && { anthropic_beta: [...new Set(betas)] }),
  }
}

function withReasoning(
  { conversation }: Pick<ProviderRequest, 'conversation'>,
  { signatures }: Pick<ProviderContext, 'signatures'>,
) {
  return withRememberedThoughts(conversation(), signatures, isClaudeThought)
}

function betasOf(header = ''): string[] {
  return header
    .split(',')
    .map((beta) => beta.trim())
    .filter(Boolean)
}
