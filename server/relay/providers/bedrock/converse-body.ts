import { refuseFeatures } from '../../conversation/client-fields.ts'
import type { Conversation, Tool } from '../../conversation/conversation.ts'
import { splitSystem } from '../../conversation/turns.ts'
import { refuse } from '../../dialects/refuse.ts'
import { defined, type Json } from '../../json.ts'
import { type ContentOptions, converseMessages, converseSystem, withCachePoint } from './converse-content.ts'

/** Bedrock's own fields, which are forwarded. */
const OWN_FIELDS = ['additionalModelRequestFields', 'guardrailConfig', 'performanceConfig', 'requestMetadata'] as const

/**
 * Converts a conversation, with inlined media, to the Converse format of all vendors' models. Throws REQUEST_MALFORMED.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
export function converseBody(conversation: Conversation, { id }: { id: string }): Json {
  refuseFeatures(conversation, ['choices', 'modalities', 'logprobs', 'bias'])
  const options = abilitiesOf(id)
  const { system, rest } = splitSystem(conversation.turns)
  const instructions = [...converseSystem(system, options), ...formatInstruction(conversation)]
  return defined({
    additionalModelRequestFields: effortField(conversation, id),
    ...defined(Object.fromEntries(OWN_FIELDS.map((name) => [name, conversation.extras[name]]))),
    messages: converseMessages(rest, options),
    system: instructions.length ? instructions : undefined,
    inferenceConfig: inferenceConfig(conversation),
    toolConfig: toolConfig(conversation, options),
  })
}

/** The model of an operator's ARN may be Claude, which needs its signed reasoning. */
function abilitiesOf(id: string): ContentOptions {
  const hidden = id.startsWith('arn:')
  return { thoughts: hidden, caching: hidden || id.includes('amazon.nova') }
}

/** Vendors have different reasoning fields; only OpenAI's open models accept this one. */
function effortField({ reasoning }: Conversation, id: string): Json | undefined {
  const effort = reasoning?.effort
  return effort && effort !== 'none' && id.includes('openai.') ? { reasoning_effort: effort } : undefined
}

function inferenceConfig({ maxTokens, temperature, topP, stop }: Conversation): Json | undefined {
  const stopSequences = stop?.filter((sequence) => sequence.trim() !== '')
  const config = defined({
    maxTokens,
    temperature,
    topP,
    stopSequences: stopSequences?.length ? stopSequences : undefined,
  })
  return Object.keys(config).length ? config : undefined
}

/** No field is common to all models, so the format goes into the instructions. */
function formatInstruction({ format }: Conversation): Json[] {
  if (!format) return []
  if (format.kind === 'json') return [{ text: 'Answer with one JSON object and nothing else.' }]
  return [
    {
      text: `Answer with one JSON value that matches this JSON Schema, and nothing else: ${JSON.stringify(format.schema)}`,
    },
  ]
}

/** Required if the history contains calls, even if the client sends no tools. */
function toolConfig(conversation: Conversation, { caching }: ContentOptions): Json | undefined {
  const { tools, toolChoice: { mode = 'auto', names } = {} } = conversation
  const called = namesOfCalls(conversation)
  if (mode === 'none' && called.length === 0) return undefined
  const allowed = tools.filter(({ name }) => !names || names.includes(name))
  const known = allowed.length ? allowed : called.map((name): Tool => ({ name }))
  if (known.length === 0) return undefined
  return defined({
    tools: known.flatMap((tool) => withCachePoint([toolSpec(tool)], tool, caching)),
    toolChoice: mode === 'required' && allowed.length ? choiceOf(allowed, names) : undefined,
  })
}

function choiceOf(allowed: readonly Tool[], names: readonly string[] | undefined): Json {
  const [only] = allowed
  return names && only && allowed.length === 1 ? { tool: { name: only.name } } : { any: {} }
}

function namesOfCalls({ turns }: Conversation): string[] {
  const parts = turns.flatMap((turn) => turn.parts)
  return [...new Set(parts.flatMap((part) => (part.kind === 'call' ? [part.name] : [])))]
}

/** A custom tool accepts free text, declared as the only argument of an ordinary tool. */
const FREE_TEXT = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] }

function toolSpec({ name, description, parameters, custom, vendor }: Tool): Json {
  if (vendor) refuse(`tools: ${name} is a tool of another vendor's models; send functions`)
  const json = custom ? FREE_TEXT : { type: 'object', ...(parameters ?? { properties: {} }) }
  return { toolSpec: defined({ name, description: description || undefined, inputSchema: { json } }) }
}
