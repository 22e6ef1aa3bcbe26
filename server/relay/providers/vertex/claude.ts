import { withInlineMedia } from '../../conversation/media.ts'
import type { Json } from '../../json.ts'
import { lookup } from '../../json.ts'
import { withInlineSources } from '../anthropic/inline-sources.ts'
import { messagesBody } from '../anthropic/messages-body.ts'
import { messagesReader } from '../anthropic/messages-reader.ts'
import { claudeModel } from '../anthropic/models.ts'
import { withClaudeThinking } from '../anthropic/native-messages.ts'
import { isClaudeThought } from '../anthropic/turn-blocks.ts'
import type { ProviderContext, ProviderRequest, ReplyReader } from '../provider.ts'
import { rememberingThoughts, withRememberedThoughts } from '../remembered-thoughts.ts'

const VERSION = 'vertex-2023-10-16'

/** Vertex AI's names of Claude models that do not follow from Anthropic's names. */
const NAMES: Readonly<Record<string, string>> = lookup({
  'claude-3-5-sonnet-20241022': 'claude-3-5-sonnet-v2@20241022',
})

/** Returns Vertex AI's name of a Claude model, for example `claude-3-opus@20240229` for `claude-3-opus-20240229`. */
export function vertexClaude(modelName: string): string {
  const { name } = claudeModel(modelName)
  return NAMES[name] ?? name.replace(/-(\d{8})$/, '@$1')
}

/** Returns a Messages body for Vertex AI, without the model, which is in the URL, and with inline media. */
export async function claudeBody(
  ask: ProviderRequest,
  context: Pick<ProviderContext, 'download' | 'signatures'>,
): Promise<Json> {
  const messages = await messagesFor(ask, context)
  // Only Anthropic's own API has service tiers.
  const { model: _, stream: __, service_tier: ___, ...body } = messages
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
  // Google's default policy for projects disables schemas.
  return messagesBody(conversation, { model: ask.model, images: 'base64', enforcesSchemas: false })
}

export function claudeReader(ask: ProviderRequest, { signatures }: Pick<ProviderContext, 'signatures'>): ReplyReader {
  if (ask.dialect === 'anthropic-messages') return messagesReader()
  const customTools = ask.conversation().tools.filter((tool) => tool.custom)
  const reader = messagesReader({ customTools: new Set(customTools.map(({ name }) => name)) })
  return rememberingThoughts(reader, signatures, ask.conversation())
}
