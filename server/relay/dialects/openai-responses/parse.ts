import { defined, isRecord, recordOf } from '../../../../core/records.ts'
import type { Conversation, Effort, Turn } from '../../conversation/conversation.ts'
import { arrayOf, booleanOf, numberOf, textOf } from '../../json.ts'
import type { Body } from '../dialect.ts'
import { formatOf } from '../openai-chat/parse.ts'
import { turnsOfInput } from './input.ts'
import { rejectStoredReferences } from './stored.ts'
import { toolNames } from './tool-names.ts'
import { responsesToolChoiceOf, responsesToolsOf } from './tools.ts'

/**
 * Fields that are not extras: parsed into the Conversation, rejected, used elsewhere in the gateway, or without meaning
 * for upstreams of other formats. All other fields are extras.
 */
const KNOWN_FIELDS = new Set([
  'model',
  'input',
  'instructions',
  'stream',
  'stream_options',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'max_output_tokens',
  'temperature',
  'top_p',
  'top_logprobs',
  'reasoning',
  'text',
  'user',
  'service_tier',
  'metadata',
  'truncation',
  'include',
  'background',
  'store',
  'max_tool_calls',
  'context_management',
  'previous_response_id',
  'conversation',
  'prompt',
])

const LOGPROBS = 'message.output_text.logprobs'

/**
 * Parses a Responses request: https://platform.openai.com/docs/api-reference/responses/create. Throws REQUEST_MALFORMED
 * for invalid items, for references to stored objects, and if the request requires a tool that only OpenAI runs.
 */
export function parseResponses(body: Body): Conversation {
  rejectStoredReferences(body)
  const text = recordOf(body.text)
  const names = toolNames(body.tools)
  const tools = responsesToolsOf(body.tools, names)
  const topLogprobs = numberOf(body.top_logprobs)
  const wantsLogprobs = (topLogprobs ?? 0) > 0 || arrayOf(body.include).includes(LOGPROBS)
  return defined({
    turns: [...instructionsOf(body.instructions), ...turnsOfInput(body.input, names)],
    ...tools,
    searchesMax: tools.webSearch && numberOf(body.max_tool_calls),
    toolChoice: responsesToolChoiceOf(body.tool_choice, tools, names),
    parallelCalls: booleanOf(body.parallel_tool_calls),
    maxTokens: numberOf(body.max_output_tokens),
    temperature: numberOf(body.temperature),
    topP: numberOf(body.top_p),
    logprobs: wantsLogprobs || undefined,
    topLogprobs,
    reasoning: reasoningOf(body.reasoning),
    format: formatOf(text.format, { mayBeFlat: true }),
    verbosity: textOf(text.verbosity),
    user: textOf(body.user),
    serviceTier: textOf(body.service_tier),
    metadata: isRecord(body.metadata) ? body.metadata : undefined,
    extras: Object.fromEntries(Object.entries(body).filter(([name]) => !KNOWN_FIELDS.has(name))),
  }) as Conversation
}

function instructionsOf(instructions: unknown): Turn[] {
  if (Array.isArray(instructions)) return turnsOfInput(instructions)
  const text = textOf(instructions)
  return text === undefined ? [] : [{ role: 'system', parts: [{ kind: 'text', text }] }]
}

function reasoningOf(reasoning: unknown): Conversation['reasoning'] {
  if (!isRecord(reasoning)) return undefined
  const effort = textOf(reasoning.effort)
  const summary = textOf(reasoning.summary) ?? textOf(reasoning.generate_summary)
  return { ...(effort && { effort: effort as Effort }), ...(summary && { visible: summary !== 'none' }) }
}
