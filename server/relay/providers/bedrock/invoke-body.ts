import { withInlineMedia } from '../../conversation/media.ts'
import { arrayOf, isObject, type Json, objectOf, textOf } from '../../json.ts'
import { messagesBody } from '../anthropic/messages-body.ts'
import { withThinking } from '../anthropic/native-messages.ts'
import { isOwnThought } from '../anthropic/turn-blocks.ts'
import type { Ask, Means } from '../provider.ts'
import { withRememberedThoughts } from '../remembered-thoughts.ts'

const VERSION = 'bedrock-2023-05-31'

/**
 * A Messages request as Bedrock takes it: the model stands in the path, the version and the betas in the body, and media are
 * base64. A client that speaks Messages keeps all that it wrote. Throws REQUEST_MALFORMED, MEDIA_REFUSED, MEDIA_UNAVAILABLE.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html
 */
export async function invokeBody(
  ask: Pick<Ask, 'body' | 'headers' | 'model' | 'dialect' | 'conversation'>,
  means: Pick<Means, 'media' | 'signatures'>,
): Promise<Json> {
  const body =
    ask.dialect === 'anthropic-messages'
      ? { ...withThinking(ask.body, ask.model), messages: await inlined(ask.body.messages, means) }
      : messagesBody(await withInlineMedia(await remembered(ask, means), means), { model: ask.model, images: 'base64' })
  // Tiers are a matter of Anthropic's own API, and refused here.
  const { model: _, stream: __, service_tier: ___, ...rest }: Json = body
  const betas = [...arrayOf(rest.anthropic_beta), ...betasOf(ask.headers['anthropic-beta'])]
  return {
    ...rest,
    anthropic_version: textOf(rest.anthropic_version) ?? VERSION,
    ...(betas.length > 0 && { anthropic_beta: [...new Set(betas)] }),
  }
}

function remembered({ conversation }: Pick<Ask, 'conversation'>, { signatures }: Pick<Means, 'signatures'>) {
  return withRememberedThoughts(conversation(), signatures, isOwnThought)
}

function betasOf(header = ''): string[] {
  return header
    .split(',')
    .map((beta) => beta.trim())
    .filter(Boolean)
}

/** Content with every source that is an address as base64, at whatever depth: results of calls have content too. */
async function inlined(value: unknown, means: Pick<Means, 'media'>): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((item) => inlined(item, means)))
  if (!isObject(value)) return value
  const url = value.type === 'image' || value.type === 'document' ? addressIn(value.source) : undefined
  if (url) {
    const { data, mime } = await means.media(url)
    return { ...value, source: { type: 'base64', media_type: mime, data: data.toString('base64') } }
  }
  return 'content' in value ? { ...value, content: await inlined(value.content, means) } : value
}

function addressIn(source: unknown): string | undefined {
  const { type, url } = objectOf(source)
  return type === 'url' ? textOf(url) : undefined
}
