import { defined } from '../../../../core/records.ts'
import { refuseFeatures } from '../../conversation/client-fields.ts'
import type { Conversation, Tool } from '../../conversation/conversation.ts'
import { splitSystem } from '../../conversation/turns.ts'
import { refuse } from '../../dialects/refuse.ts'
import type { Json } from '../../json.ts'
import { FREE_TEXT } from '../openai/custom-calls.ts'
import { stopsOf } from '../plain-conversation.ts'
import { type ConverseContentOptions, converseMessages, converseSystem, withCachePoint } from './converse-content.ts'

/** Fields that only Bedrock has, which are forwarded unchanged. */
const OWN_FIELDS = ['additionalModelRequestFields', 'guardrailConfig', 'performanceConfig', 'requestMetadata'] as const

/**
 * Converts a conversation with inlined media to Bedrock's Converse format. Throws REQUEST_MALFORMED.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
export function converseBody(conversation: Conversation, { id }: { id: string }): Json {
  refuseFeatures(conversation, ['choices', 'modalities', 'logprobs', 'bias'])
  const options = featuresOf(id)
  const { system, rest } = splitSystem(conversation.turns)
  const tools = toolConfig(conversation)
  const instructions = withToolsCached(
    [...converseSystem(system, options), ...formatInstruction(conversation)],
    tools ? conversation.tools : [],
    options,
  )
  return defined({
    additionalModelRequestFields: effortField(conversation, id),
    ...defined(Object.fromEntries(OWN_FIELDS.map((name) => [name, conversation.extras[name]]))),
    messages: converseMessages(rest, options),
    system: instructions.length ? instructions : undefined,
    inferenceConfig: inferenceConfig(conversation),
    toolConfig: tools,
  })
}

/** Returns the features of a model. An ARN may belong to a Claude model, which needs its earlier reasoning. */
function featuresOf(id: string): ConverseContentOptions {
  const isArn = id.startsWith('arn:')
  return { sendsReasoning: isArn, supportsCaching: isArn || id.includes('amazon.nova') }
}

/**
 * Adds a cache point after the instructions if a tool has a cache mark. This point also covers the tools, among which
 * Nova rejects cache points.
 */
function withToolsCached(
  instructions: Json[],
  tools: readonly Tool[],
  { supportsCaching }: ConverseContentOptions,
): Json[] {
  if (instructions.some((block) => 'cachePoint' in block)) return instructions
  return withCachePoint(instructions, { cache: tools.find(({ cache }) => cache)?.cache }, supportsCaching)
}

/** Returns the field `reasoning_effort`, which only OpenAI's open models accept. */
function effortField({ reasoning }: Conversation, id: string): Json | undefined {
  const effort = reasoning?.effort
  return effort && effort !== 'none' && id.includes('openai.') ? { reasoning_effort: effort } : undefined
}

function inferenceConfig({ maxTokens, temperature, topP, stop }: Conversation): Json | undefined {
  const config = defined({ maxTokens, temperature, topP, stopSequences: stopsOf(stop) })
  return Object.keys(config).length ? config : undefined
}

/** Returns the reply format as an instruction, because no field for the format is accepted by all models. */
function formatInstruction({ format }: Conversation): Json[] {
  if (!format) return []
  if (format.kind === 'json') return [{ text: 'Answer with one JSON object and nothing else.' }]
  const schema = JSON.stringify(format.schema)
  return [{ text: `Answer with one JSON value that matches this JSON Schema, and nothing else: ${schema}` }]
}

/** Returns `toolConfig`, which Bedrock requires if the history contains calls, even if the request has no tools. */
function toolConfig(conversation: Conversation): Json | undefined {
  const { tools, toolChoice: { mode = 'auto', names } = {} } = conversation
  const calledNames = namesOfCalls(conversation)
  if (mode === 'none' && calledNames.length === 0) return undefined
  const allowedTools = tools.filter(({ name }) => !names || names.includes(name))
  const declaredTools = allowedTools.length ? allowedTools : calledNames.map((name): Tool => ({ name }))
  if (declaredTools.length === 0) return undefined
  return defined({
    tools: declaredTools.map(toolSpec),
    toolChoice: mode === 'required' && allowedTools.length ? choiceOf(allowedTools, names) : undefined,
  })
}

function choiceOf(allowedTools: readonly Tool[], names: readonly string[] | undefined): Json {
  const [only] = allowedTools
  return names && only && allowedTools.length === 1 ? { tool: { name: only.name } } : { any: {} }
}

function namesOfCalls({ turns }: Conversation): string[] {
  const parts = turns.flatMap((turn) => turn.parts)
  return [...new Set(parts.flatMap((part) => (part.kind === 'call' ? [part.name] : [])))]
}

function toolSpec({ name, description, parameters, custom, vendor }: Tool): Json {
  if (vendor) refuse(`tools: ${name} is a tool of another vendor's models; send functions`)
  const json = custom ? FREE_TEXT : { type: 'object', ...(parameters ?? { properties: {} }) }
  return { toolSpec: defined({ name, description: description || undefined, inputSchema: { json } }) }
}
