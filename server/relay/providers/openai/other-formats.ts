import type { DialectName } from '../../../../core/channels/routing/operations.ts'
import type { Conversation, ReasoningPart } from '../../conversation/conversation.ts'
import type { Json } from '../../json.ts'
import { messagesBody } from '../anthropic/messages-body.ts'
import { messagesReader } from '../anthropic/messages-reader.ts'
import { isClaudeThought } from '../anthropic/turn-blocks.ts'
import type { ReplyReader } from '../provider.ts'
import { openAiSuffix, refusesSampling } from './model-rules.ts'
import { responsesBody } from './responses-body.ts'
import { responsesReader } from './responses-reader.ts'
import { decodeReasoning } from './responses-reasoning.ts'
import { withStops } from './stops.ts'

/** A format that upstreams with OpenAI's paths may support besides chat completions or instead of them. */
interface Format {
  body(conversation: Conversation, options: { model: string; stream: boolean }): Json
  reader(conversation?: Conversation): ReplyReader
  /** Whether an upstream of this format signed the reasoning. */
  isOwnThought(thought: ReasoningPart): boolean
}

const messages: Format = {
  body: (conversation, { model, stream }) => ({
    model,
    ...messagesBody(conversation, { model, images: 'url' }),
    stream,
  }),
  reader: (conversation) => messagesReader(conversation ? { customTools: customToolsOf(conversation) } : {}),
  isOwnThought: isClaudeThought,
}

const responses: Format = {
  body(conversation, { model: modelName, stream }) {
    const { model, effort } = openAiSuffix(modelName)
    const body = responsesBody(conversation, { model, stream, withoutSampling: refusesSampling(model) })
    return effort ? withEffort(body, effort) : body
  },
  reader: (conversation) => withStops(responsesReader(), conversation?.stop ?? []),
  isOwnThought: ({ signature }) => decodeReasoning(signature) !== undefined,
}

/** The formats to which the gateway can translate for these upstreams, besides chat completions. */
export const OTHER_FORMATS: Partial<Record<DialectName, Format>> = {
  'anthropic-messages': messages,
  'openai-responses': responses,
}

/** Adds the effort from a model's suffix to a Responses request. */
export function withEffort(body: Readonly<Json>, effort: string): Json {
  return { ...body, reasoning: { ...(body.reasoning as Json | undefined), effort } }
}

/** Returns the names of custom tools, which become functions in formats without custom tools. */
export function customToolsOf({ tools }: Conversation): ReadonlySet<string> {
  return new Set(tools.flatMap(({ name, custom }) => (custom ? [name] : [])))
}
