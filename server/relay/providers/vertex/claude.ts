import { withInlineMedia } from '../../conversation/media.ts'
import { type Json, lookup } from '../../json.ts'
import { withInlineSources } from '../anthropic/inline-sources.ts'
import { messagesBody } from '../anthropic/messages-body.ts'
import { messagesReader } from '../anthropic/messages-reader.ts'
import { claudeModel } from '../anthropic/models.ts'
import { withClaudeThinking } from '../anthropic/native-messages.ts'
import { isClaudeThought } from '../anthropic/turn-blocks.ts'
import { customToolsOf } from '../openai/other-formats.ts'
import type { ProviderContext, ProviderRequest, ReplyReader } from '../provider.ts'
import { rememberingThoughts, withRememberedThoughts } from '../remembered-thoughts.ts'

const VERSION = 'vertex-2023-10-16'

/** Names of Claude models at Vertex AI that cannot be derived from Anthropic's names. */
const NAMES: Readonly<Record<string, string>> = lookup({
  'claude-3-5-sonnet-20241022': 'claude-3-5-sonnet-v2@20241022',
})

/** Returns Vertex AI's name of a Claude model, such as `claude-3-opus@20240229` for `claude-3-opus-20240229`. */
export function vertexClaude(modelName: string): string {
  const { name } = claudeModel(modelName)
  return NAMES[name] ?? name.replace(/-(\d{8})$/, '@$1')
}

/** Returns a Messages body for Vertex AI, with inline media. The body has no model, because the URL names the model. */
export async function claudeBody(
  ask: ProviderRequest,
  context: Pick<ProviderContext, 'download' | 'signatures'>,
): Promise<Json> {
  // Only Anthropic's own API has service tiers.
  const { model: _, stream: __, service_tier: ___, ...body } = await messagesFor(ask, context)
  return { anthropic_version: VERSION, ...body, ...(ask.stream && { stream: true }) }
}

async function messagesFor(
  ask: ProviderRequest,
  context: Pick<ProviderContext, 'download' | 'signatures'>,
): Promise<Json> {
  if (ask.dialect === 'anthropic-messages') {
    return (await withInlineSources(withClaudeThinking(ask.body, ask.model), context)) as Json
  }
  const remembered = await withRememberedThoughts(ask.conversation(), context.signatures, isClaudeThought)
  const conversation = await withInlineMedia(remembered, context)
  // Google's default policy for projects does not allow schemas.
  return messagesBody(conversation, { model: ask.model, images: 'base64', enforcesSchemas: false })
}

export function claudeReader(ask: ProviderRequest, { signatures }: Pick<ProviderContext, 'signatures'>): ReplyReader {
  if (ask.dialect === 'anthropic-messages') return messagesReader()
  const conversation = ask.conversation()
  const reader = messagesReader({ customTools: customToolsOf(conversation) })
  return rememberingThoughts(reader, signatures, conversation)
}
