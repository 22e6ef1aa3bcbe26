import type { DialectName } from '../../../../core/channels/operations.ts'
import type { Conversation, ReasoningPart } from '../../conversation/conversation.ts'
import type { Json } from '../../json.ts'
import { messagesBody } from '../anthropic/messages-body.ts'
import { messagesReader } from '../anthropic/messages-reader.ts'
import { isOwnThought } from '../anthropic/turn-blocks.ts'
import type { ReplyReader } from '../provider.ts'
import { openAiSuffix, refusesSampling } from './model-rules.ts'
import { responsesBody } from './responses-body.ts'
import { responsesReader } from './responses-reader.ts'
import { openReasoning } from './responses-reasoning.ts'
import { withStops } from './stops.ts'

/** A format beside chat completions that some of these upstreams speak. */
interface Format {
  body(conversation: Conversation, options: { model: string; stream: boolean }): Json
  reader(conversation?: Conversation): ReplyReader
  /** Whether an upstream that speaks it has signed a thought. */
  isOwnThought(thought: ReasoningPart): boolean
}

const messages: Format = {
  body: (conversation, { model, stream }) => ({
    model,
    ...messagesBody(conversation, { model, images: 'url' }),
    stream,
  }),
  reader: (conversation) => messagesReader(conversation ? { customTools: customToolsOf(conversation) } : {}),
  isOwnThought,
}

const responses: Format = {
  body(conversation, { model: named, stream }) {
    const { model, effort } = openAiSuffix(named)
    const body = responsesBody(conversation, { model, stream, withoutSampling: refusesSampling(model) })
    return effort ? withEffort(body, effort) : body
  },
  reader: (conversation) => withStops(responsesReader(), conversation?.stop ?? []),
  isOwnThought: ({ signature }) => openReasoning(signature) !== undefined,
}

/** The formats into which a conversation can be put for an upstream that does not speak chat completions. */
export const OTHER_FORMATS: Partial<Record<DialectName, Format>> = {
  'anthropic-messages': messages,
  'openai-responses': responses,
}

/** A Responses request with the effort that a model's suffix asks for. */
export function withEffort(body: Readonly<Json>, effort: string): Json {
  return { ...body, reasoning: { ...(body.reasoning as Json | undefined), effort } }
}

/** Tools with free text, which are functions in formats that have none. */
export function customToolsOf({ tools }: Conversation): ReadonlySet<string> {
  return new Set(tools.flatMap(({ name, custom }) => (custom ? [name] : [])))
}
