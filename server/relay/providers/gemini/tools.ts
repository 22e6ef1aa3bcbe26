import { defined } from '../../../../core/records.ts'
import type { Conversation, Tool, ToolChoice } from '../../conversation/conversation.ts'
import { refuse } from '../../dialects/refuse.ts'
import type { Json } from '../../json.ts'
import { FREE_TEXT } from '../openai/custom-calls.ts'
import { cleanSchema, hasProperties } from './schema.ts'

/** Function names with which OpenAI's clients select Gemini's own tools. */
const HOSTED_TOOLS = ['googleSearch', 'codeExecution', 'urlContext'] as const

const MODES = { auto: 'AUTO', none: 'NONE', required: 'ANY' } as const

/**
 * Returns `tools` and `toolConfig`. One element of `tools` contains all functions. Each of Gemini's own tools is
 * another element. Drops the tool choice if there are no functions. https://ai.google.dev/api/caching#Tool
 */
export function geminiToolFields(conversation: Conversation, { jsonSchema }: { jsonSchema: boolean }): Json {
  const { toolChoice, webSearch } = conversation
  const offeredTools = allowedTools(conversation.tools, toolChoice)
  const functions = offeredTools.filter((tool) => !tool.vendor && !isHostedTool(tool.name))
  const hostedTools = new Set([
    ...offeredTools.filter(({ name }) => isHostedTool(name)).map(({ name }) => name),
    ...(webSearch ? ['googleSearch'] : []),
  ])
  const elements: Json[] = [
    ...(functions.length ? [{ functionDeclarations: functions.map((tool) => declaration(tool, jsonSchema)) }] : []),
    ...[...hostedTools].map((name) => ({ [name]: {} })),
    ...offeredTools.flatMap(vendorTool),
  ]
  if (elements.length === 0) return {}
  const config = functions.length && toolChoice ? choiceConfig(toolChoice) : undefined
  return { tools: elements, ...(config && { toolConfig: { functionCallingConfig: config } }) }
}

/** Whether the client requests web search, which older models cannot combine with a reply format. */
export function usesWebSearch({ tools, webSearch }: Conversation): boolean {
  return webSearch !== undefined || tools.some(({ name }) => name === 'googleSearch')
}

const isHostedTool = (name: string): boolean => (HOSTED_TOOLS as readonly string[]).includes(name)

/** Returns the tools to send. Drops tools that a choice `auto` does not name, because Gemini's `AUTO` has no names. */
function allowedTools(tools: readonly Tool[], choice: ToolChoice | undefined): readonly Tool[] {
  if (choice?.mode !== 'auto' || !choice.names) return tools
  const names = new Set(choice.names)
  return tools.filter(({ name }) => names.has(name))
}

function choiceConfig({ mode, names }: ToolChoice): Json {
  return { mode: MODES[mode], ...(mode === 'required' && names?.length && { allowedFunctionNames: names }) }
}

function declaration({ name, description, parameters, custom }: Tool, jsonSchema: boolean): Json {
  const schema = custom ? FREE_TEXT : parameters
  const hasParameters = hasProperties(schema)
  return defined({
    name,
    description,
    parametersJsonSchema: hasParameters && jsonSchema ? schema : undefined,
    parameters: hasParameters && !jsonSchema ? cleanSchema(schema) : undefined,
  })
}

function vendorTool({ name, vendor }: Tool): Json[] {
  if (!vendor || isHostedTool(name)) return []
  if (vendor.dialect === 'gemini') return [vendor.tool]
  return refuse(`tools: ${name} runs only at its own vendor; leave it out, or ask a model of that vendor`)
}
