import { createHash } from 'node:crypto'
import { refuseFeatures } from '../../conversation/client-fields.ts'
import type { Conversation, ReplyFormat, TextPart, Turn } from '../../conversation/conversation.ts'
import { splitSystem } from '../../conversation/turns.ts'
import { defined, isObject, type Json, objectsOf } from '../../json.ts'
import type { ImageForm } from './media-blocks.ts'
import { type ClaudeModel, claudeModel } from './models.ts'
import { thinkingFields } from './thinking.ts'
import { toolFields } from './tool-fields.ts'
import { keepsThoughts, messagesOf } from './turn-blocks.ts'

const USER_ID_LENGTH_MAX = 256
const CACHE_MARKS_MAX = 4

export interface MessagesOptions {
  /** The upstream's name of the model: it decides which fields may be sent. */
  readonly model: string
  /** Sent where the client names no limit, which the API demands; absent = 4096. */
  readonly defaultMaxTokens?: number
  /** `base64`: images and files were brought inline before; the upstream reads no addresses. */
  readonly images?: ImageForm
}

/**
 * The body of a Messages request, without `model` and `stream`, which stand elsewhere on some clouds. Throws
 * REQUEST_MALFORMED for what Claude cannot be asked. https://platform.claude.com/docs/en/api/messages
 */
export function messagesBody(
  conversation: Conversation,
  { model: named, defaultMaxTokens, images = 'base64' }: MessagesOptions,
): Json {
  refuseFeatures(conversation, ['choices', 'modalities', 'logprobs'])
  const model = claudeModel(named)
  const { system, rest } = splitSystem(conversation.turns)
  const messages = messagesOf(rest, images)
  const { thinking, effort, maxTokens } = thinkingFields(conversation, model, {
    defaultMaxTokens,
    possible: keepsThoughts(messages),
  })
  const thinks = thinking !== undefined && thinking.type !== 'disabled'
  const format = formatFields(conversation.format, model)
  const outputConfig = defined({ effort, format: format.format })
  const stop = conversation.stop?.filter((text) => text.trim() !== '')
  return withFewMarks({
    max_tokens: maxTokens,
    ...systemField(system, format.instruction),
    messages,
    ...toolFields(conversation, { messages, forcible: thinking?.type !== 'enabled' }),
    ...(thinking && { thinking }),
    ...(Object.keys(outputConfig).length > 0 && { output_config: outputConfig }),
    ...(thinks ? {} : sampling(conversation, model)),
    ...(stop?.length && { stop_sequences: stop }),
    ...(conversation.user !== undefined && { metadata: { user_id: userId(conversation.user) } }),
    ...(conversation.serviceTier !== undefined && {
      service_tier: conversation.serviceTier === 'default' ? 'standard_only' : 'auto',
    }),
  })
}

/** While it thinks, a model takes no sampling fields at all. */
function sampling({ temperature, topP, topK }: Conversation, { sampling }: ClaudeModel): Json {
  if (sampling === 'none') return {}
  return defined({
    temperature: temperature === undefined ? undefined : Math.min(Math.max(temperature, 0), 1),
    top_p: sampling === 'one' && temperature !== undefined ? undefined : topP,
    top_k: topK,
  })
}

/** One text, or blocks where one of them marks the cache. */
function systemField(turns: readonly Turn[], instruction: string | undefined): Json {
  const texts: TextPart[] = turns
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (part.kind === 'text' && part.text.trim() !== '' ? [part] : []))
  if (instruction) texts.push({ kind: 'text', text: instruction })
  if (texts.length === 0) return {}
  if (texts.some(({ cache }) => cache)) {
    return {
      system: texts.map(({ text, cache }) => ({ type: 'text', text, ...(cache && { cache_control: cache }) })),
    }
  }
  return { system: texts.map(({ text }) => text).join('\n\n') }
}

const ONLY_JSON = 'Answer with one JSON object and nothing else: no other text, no Markdown.'

/** A schema the model is held to; those that cannot be are asked. */
function formatFields(format: ReplyFormat | undefined, model: ClaudeModel): { format?: Json; instruction?: string } {
  if (!format) return {}
  if (format.kind === 'json') return { instruction: ONLY_JSON }
  if (model.schema) return { format: { type: 'json_schema', schema: format.schema } }
  const described = format.description ? `${format.description}\n` : ''
  return { instruction: `${ONLY_JSON}\n${described}It must match this JSON Schema:\n${JSON.stringify(format.schema)}` }
}

/** Opaque to the API; what is too long is told by its digest. */
function userId(user: string): string {
  return user.length > USER_ID_LENGTH_MAX ? createHash('sha256').update(user).digest('hex') : user
}

/** More marks than the API takes: the last ones stay, since each covers all that stands before it. */
function withFewMarks(body: Json): Json {
  const blocks = [...objectsOf(body.tools), ...objectsOf(body.system), ...objectsOf(body.messages).flatMap(marksIn)]
  const marked = blocks.filter(({ cache_control }) => isObject(cache_control))
  for (const block of marked.slice(0, -CACHE_MARKS_MAX)) delete block.cache_control
  return body
}

function marksIn({ content }: Json): Json[] {
  return objectsOf(content).flatMap((block) => [...objectsOf(block.content), block])
}
