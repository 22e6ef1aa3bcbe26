import { isRecord, recordOf } from '../../../../core/records.ts'
import type { Conversation, Tool, ToolChoice } from '../../conversation/conversation.ts'
import { searchesOf } from '../../conversation/searches.ts'
import { refuse } from '../../dialects/refuse.ts'
import { type Json, wordOf } from '../../json.ts'
import { FREE_TEXT } from '../openai/custom-calls.ts'
import { closedSchema, type SchemaBudget } from './closed-schema.ts'
import type { AnthropicMessage } from './turn-blocks.ts'

const NO_ARGUMENTS = { type: 'object', properties: {} }

/** Maximum number of strict tools in a request that Claude accepts. */
const STRICT_TOOLS_MAX = 20

/**
 * Returns `tools` and `tool_choice`. `canForceCall` states whether the thinking mode allows a forced call.
 * `schemaBudget` is undefined if the upstream does not enforce the schemas of strict tools.
 */
export function anthropicToolFields(
  conversation: Pick<Conversation, 'tools' | 'toolChoice' | 'parallelCalls' | 'webSearch' | 'searchesMax'>,
  {
    messages,
    canForceCall,
    schemaBudget,
  }: { messages: readonly AnthropicMessage[]; canForceCall: boolean; schemaBudget: SchemaBudget | undefined },
): { tools?: Json[]; tool_choice?: Json } {
  const { toolChoice, webSearch } = conversation
  const offeredTools = conversation.tools.filter(
    ({ name }) => toolChoice?.mode === 'none' || (toolChoice?.names?.includes(name) ?? true),
  )
  const isStrictPossible = offeredTools.filter(({ strict }) => strict).length <= STRICT_TOOLS_MAX
  const wireTools = offeredTools.map((tool) => toolOf(tool, isStrictPossible ? schemaBudget : undefined))
  if (webSearch) wireTools.push(webSearchTool(webSearch, searchesOf(conversation)))
  if (wireTools.length === 0) {
    // The API requires a declaration of each tool that was called, even if the request has no tools.
    const calledNames = new Set(messages.flatMap(({ content }) => content.flatMap(calledName)))
    if (calledNames.size === 0) return {}
    const tools = [...calledNames].map((name) => ({ name, input_schema: NO_ARGUMENTS }))
    return { tools, tool_choice: { type: 'none' } }
  }
  const choice = choiceOf(toolChoice, canForceCall)
  if (conversation.parallelCalls === false && choice?.type !== 'none') {
    return { tools: wireTools, tool_choice: { type: 'auto', ...choice, disable_parallel_tool_use: true } }
  }
  return { tools: wireTools, ...(choice && { tool_choice: choice }) }
}

function calledName({ type, name }: Json): string[] {
  return type === 'tool_use' ? [wordOf(name)] : []
}

function toolOf(
  { name, description, parameters, strict, custom, cache, vendor }: Tool,
  schemaBudget: SchemaBudget | undefined,
): Json {
  if (vendor?.dialect === 'anthropic-messages') return { ...vendor.tool }
  if (vendor) return refuse(`tools: ${name} runs only at its own vendor; leave it out, or ask a model of that vendor`)
  const schema = custom ? FREE_TEXT : schemaOf(parameters)
  const closed = schemaBudget && strict && !custom ? closedSchema(schema, schemaBudget) : undefined
  // Claude requires the type `object` of each tool's schema. A conversion may have replaced it by a reference.
  const enforced = closed?.type === 'object' ? closed : undefined
  return {
    name,
    ...(description !== undefined && { description: custom ? customDescription(description, custom) : description }),
    input_schema: enforced ?? schema,
    ...(enforced && { strict: true }),
    ...(cache && { cache_control: cache }),
  }
}

function customDescription(description: string, { format }: { format?: unknown }): string {
  const definition = recordOf(recordOf(format).grammar ?? format).definition
  return typeof definition === 'string' ? `${description}\n\nThe input has this grammar:\n${definition}` : description
}

function schemaOf(parameters: Tool['parameters']): Json {
  if (!parameters || Object.keys(parameters).length === 0) return NO_ARGUMENTS
  return parameters.type === 'object' ? parameters : { ...parameters, type: 'object' }
}

function choiceOf(choice: ToolChoice | undefined, forcible: boolean): Json | undefined {
  if (!choice) return undefined
  if (choice.mode !== 'required') return { type: choice.mode }
  if (!forcible) return { type: 'auto' }
  const [only, ...others] = choice.names ?? []
  return only !== undefined && others.length === 0 ? { type: 'tool', name: only } : { type: 'any' }
}

/** Converts OpenAI's `web_search_options` to Claude's search tool. */
function webSearchTool(options: Readonly<Record<string, unknown>>, searches: number): Json {
  const location = recordOf(options.user_location)
  const place = isRecord(location.approximate) ? location.approximate : location
  const { type: _, ...locationFields } = place
  return {
    type: 'web_search_20250305',
    name: 'web_search',
    max_uses: searches,
    ...(Object.keys(locationFields).length > 0 && { user_location: { type: 'approximate', ...locationFields } }),
  }
}
