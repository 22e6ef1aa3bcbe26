import { defined, isRecord } from '../../../../core/records.ts'
import { refuseFeatures } from '../../conversation/client-fields.ts'
import type { Conversation, ReplyFormat, TextPart, Turn } from '../../conversation/conversation.ts'
import { splitSystem } from '../../conversation/turns.ts'
import { type Json, objectsOf } from '../../json.ts'
import { shortUser } from '../openai/chat-body.ts'
import { stopsOf } from '../plain-conversation.ts'
import { closedSchema, newSchemaBudget, type SchemaBudget } from './closed-schema.ts'
import type { ImageForm } from './media-blocks.ts'
import { type ClaudeModel, claudeModel } from './models.ts'
import { thinkingFields } from './thinking.ts'
import { anthropicToolFields } from './tool-fields.ts'
import { allCallsHaveThinking, messagesOf } from './turn-blocks.ts'

const USER_ID_LENGTH_MAX = 256
const CACHE_MARKS_MAX = 4

interface MessagesOptions {
  /** The upstream's model name. It decides which fields are sent. */
  readonly model: string
  /** Output limit if the client sets none, because the API requires a limit. Default: 4096. */
  readonly defaultMaxTokens?: number
  /** With `base64`, which is the default, images and files must already be inline. */
  readonly images?: ImageForm
  /** Whether the upstream enforces JSON Schemas of the reply and `strict` tools, if the model does. Default: true. */
  readonly enforcesSchemas?: boolean
}

/**
 * Returns the body of a Messages request without `model` and `stream`, because some clouds expect these elsewhere.
 * Throws REQUEST_MALFORMED for features that Claude does not support. https://platform.claude.com/docs/en/api/messages
 */
export function messagesBody(
  conversation: Conversation,
  { model: modelName, defaultMaxTokens, images = 'base64', enforcesSchemas = true }: MessagesOptions,
): Json {
  refuseFeatures(conversation, ['choices', 'modalities', 'logprobs', 'bias'])
  const model = claudeModel(modelName)
  const { system, rest } = splitSystem(conversation.turns)
  const messages = messagesOf(rest, images)
  const { thinking, effort, maxTokens } = thinkingFields(conversation, model, {
    defaultMaxTokens,
    isThinkingPossible: allCallsHaveThinking(messages),
  })
  const isThinking = thinking !== undefined && thinking.type !== 'disabled'
  const schemaBudget = enforcesSchemas && model.supportsSchema ? newSchemaBudget() : undefined
  const format = formatFields(conversation.format, schemaBudget)
  const outputConfig = defined({ effort, format: format.format })
  const stop = stopsOf(conversation.stop)
  return limitCacheMarks({
    max_tokens: maxTokens,
    ...systemField(system, format.instruction),
    messages,
    ...anthropicToolFields(conversation, { messages, canForceCall: thinking?.type !== 'enabled', schemaBudget }),
    ...(thinking && { thinking }),
    ...(Object.keys(outputConfig).length > 0 && { output_config: outputConfig }),
    ...(isThinking ? {} : samplingFields(conversation, model)),
    ...(stop && { stop_sequences: stop }),
    ...(conversation.user !== undefined && {
      metadata: { user_id: shortUser(conversation.user, USER_ID_LENGTH_MAX) },
    }),
    ...(conversation.serviceTier !== undefined && {
      service_tier: conversation.serviceTier === 'default' ? 'standard_only' : 'auto',
    }),
  })
}

/** Returns the sampling fields for a request without thinking. With thinking, Claude rejects these fields. */
function samplingFields({ temperature, topP, topK }: Conversation, { sampling }: ClaudeModel): Json {
  if (sampling === 'none') return {}
  return defined({
    temperature: temperature === undefined ? undefined : Math.min(Math.max(temperature, 0), 1),
    top_p: sampling === 'one' && temperature !== undefined ? undefined : topP,
    top_k: topK,
  })
}

/** Returns `system` as one text, or as text blocks if a block has a cache mark. */
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

/** Returns the reply format if the upstream enforces its schema, else an instruction that contains the schema. */
function formatFields(
  format: ReplyFormat | undefined,
  schemaBudget: SchemaBudget | undefined,
): { format?: Json; instruction?: string } {
  if (!format) return {}
  if (format.kind === 'json') return { instruction: ONLY_JSON }
  const schema = schemaBudget && closedSchema(format.schema, schemaBudget)
  if (schema) return { format: { type: 'json_schema', schema } }
  const descriptionLine = format.description ? `${format.description}\n` : ''
  return {
    instruction: `${ONLY_JSON}\n${descriptionLine}It must match this JSON Schema:\n${JSON.stringify(format.schema)}`,
  }
}

/** Removes the first cache marks if there are too many. The last are more useful, because they cover more content. */
function limitCacheMarks(body: Json): Json {
  const blocks = [...objectsOf(body.tools), ...objectsOf(body.system), ...objectsOf(body.messages).flatMap(blocksIn)]
  const markedBlocks = blocks.filter(({ cache_control }) => isRecord(cache_control))
  for (const block of markedBlocks.slice(0, -CACHE_MARKS_MAX)) delete block.cache_control
  return body
}

function blocksIn({ content }: Json): Json[] {
  return objectsOf(content).flatMap((block) => [...objectsOf(block.content), block])
}
