import { withInlineMedia } from '../../conversation/media.ts'
import type { Json } from '../../json.ts'
import { lookup } from '../../json.ts'
import { withInlineSources } from '../anthropic/inline-sources.ts'
import { messagesBody } from '../anthropic/messages-body.ts'
import { messagesReader } from '../anthropic/messages-reader.ts'
import { claudeModel } from '../anthropic/models.ts'
import { withThinking } from '../anthropic/native-messages.ts'
import { isOwnThought } from '../anthropic/turn-blocks.ts'
import type { Ask, Means, ReplyReader } from '../provider.ts'
import { rememberingThoughts, withRememberedThoughts } from '../remembered-thoughts.ts'

const VERSION = 'vertex-2023-10-16'

/** Where the name at Vertex AI is more than the date behind an `@`. */
const NAMES: Readonly<Record<string, string>> = lookup({
  'claude-3-5-sonnet-20241022': 'claude-3-5-sonnet-v2@20241022',
})

/** A Claude as Vertex AI names it: `claude-3-opus-20240229` is `claude-3-opus@20240229` there. */
export function vertexClaude(named: string): string {
  const { name } = claudeModel(named)
  return NAMES[name] ?? name.replace(/-(\d{8})$/, '@$1')
}

/** A Messages request as Vertex AI takes it: the model is in its address, and media are inside. */
export async function claudeBody(ask: Ask, means: Pick<Means, 'media' | 'signatures'>): Promise<Json> {
  const asked = await messagesFor(ask, means)
  // Tiers are a matter of Anthropic's own API.
  const { model: _, stream: __, service_tier: ___, ...body } = asked
  return { anthropic_version: VERSION, ...body, ...(ask.stream && { stream: true }) }
}

async function messagesFor(ask: Ask, means: Pick<Means, 'media' | 'signatures'>): Promise<Json> {
  if (ask.dialect === 'anthropic-messages') {
    return (await withInlineSources(withThinking(ask.body, ask.model), means)) as Json
  }
  const remembered = await withRememberedThoughts(ask.conversation(), means.signatures, isOwnThought)
  const conversation = await withInlineMedia(remembered, means)
  return messagesBody(conversation, { model: ask.model, images: 'base64' })
}

export function claudeReader(ask: Ask, { signatures }: Pick<Means, 'signatures'>): ReplyReader {
  if (ask.dialect === 'anthropic-messages') return messagesReader()
  const custom = ask.conversation().tools.filter((tool) => tool.custom)
  const reader = messagesReader({ customTools: new Set(custom.map(({ name }) => name)) })
  return rememberingThoughts(reader, signatures, ask.conversation())
}
