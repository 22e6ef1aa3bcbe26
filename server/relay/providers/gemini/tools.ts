import type { Conversation, Tool, ToolChoice } from '../../conversation/conversation.ts'
import { refuse } from '../../dialects/refuse.ts'
import { defined, type Json } from '../../json.ts'
import { cleanSchema, hasProperties } from './schema.ts'

/** Functions that OpenAI-shaped clients declare when they mean a tool of Gemini's own. */
const OWN_TOOLS = ['googleSearch', 'codeExecution', 'urlContext'] as const
const FREE_TEXT = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] }

const MODES = { auto: 'AUTO', none: 'NONE', required: 'ANY' } as const

/**
 * `tools` and `toolConfig` of a request: all functions in one element, Gemini's own tools in one each. A choice without
 * tools is left out. https://ai.google.dev/api/caching#Tool
 */
export function toolFields(conversation: Conversation, { jsonSchema }: { jsonSchema: boolean }): Json {
  const { toolChoice, webSearch } = conversation
  const offered = allowed(conversation.tools, toolChoice)
  const functions = offered.filter((tool) => !tool.vendor && !isOwn(tool.name))
  const own = new Set([
    ...offered.filter(({ name }) => isOwn(name)).map(({ name }) => name),
    ...(webSearch ? ['googleSearch'] : []),
  ])
  const elements: Json[] = [
    ...(functions.length ? [{ functionDeclarations: functions.map((tool) => declaration(tool, jsonSchema)) }] : []),
    ...[...own].map((name) => ({ [name]: {} })),
    ...offered.flatMap(vendorTool),
  ]
  if (elements.length === 0) return {}
  const config = functions.length && toolChoice ? choiceConfig(toolChoice) : undefined
  return { tools: elements, ...(config && { toolConfig: { functionCallingConfig: config } }) }
}

/** Whether the model may look things up: older ones cannot do that and keep to a format at once. */
export function searches({ tools, webSearch }: Conversation): boolean {
  return webSearch !== undefined || tools.some(({ name }) => name === 'googleSearch')
}

const isOwn = (name: string): boolean => (OWN_TOOLS as readonly string[]).includes(name)

/** "These or none" cannot be said in `AUTO`: the others are not offered. */
function allowed(tools: readonly Tool[], choice: ToolChoice | undefined): readonly Tool[] {
  if (choice?.mode !== 'auto' || !choice.names) return tools
  const names = new Set(choice.names)
  return tools.filter(({ name }) => names.has(name))
}

function choiceConfig({ mode, names }: ToolChoice): Json {
  return { mode: MODES[mode], ...(mode === 'required' && names?.length && { allowedFunctionNames: names }) }
}

function declaration({ name, description, parameters, custom }: Tool, jsonSchema: boolean): Json {
  const schema = custom ? FREE_TEXT : parameters
  const known = hasProperties(schema)
  return defined({
    name,
    description,
    parametersJsonSchema: known && jsonSchema ? schema : undefined,
    parameters: known && !jsonSchema ? cleanSchema(schema) : undefined,
  })
}

function vendorTool({ name, vendor }: Tool): Json[] {
  if (!vendor || isOwn(name)) return []
  if (vendor.dialect === 'gemini') return [vendor.tool]
  return refuse(`tools: ${name} runs only at its own vendor; leave it out, or ask a model of that vendor`)
}
