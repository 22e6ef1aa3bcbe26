import type { Tool, ToolChoice } from '../../conversation/conversation.ts'
import { defined, isObject, type Json, objectOf, objectsOf, textOf, wordOf } from '../../json.ts'
import { refuse } from '../refuse.ts'

/**
 * The tools of a request, and the wish for a web search among them. Throws REQUEST_MALFORMED for tools that OpenAI runs
 * on its own machines.
 */
export function toolsOf(tools: unknown): { tools: Tool[]; webSearch?: Record<string, unknown> } {
  const found: Tool[] = []
  let webSearch: Record<string, unknown> | undefined
  for (const [index, tool] of objectsOf(tools).entries()) {
    if (tool.type === 'function') found.push(functionTool(tool))
    else if (tool.type === 'custom') found.push(customTool(tool))
    else if (wordOf(tool.type).startsWith('web_search')) webSearch = searchOptions(tool)
    else refuse(`tools[${index}].type "${wordOf(tool.type)}" does not exist for this model: leave the tool out`)
  }
  return { tools: found, ...(webSearch && { webSearch }) }
}

/** Flat; but clients that come from chat completions nest it. */
function functionTool(tool: Json): Tool {
  const told = isObject(tool.function) ? tool.function : tool
  return defined({
    name: textOf(told.name) ?? '',
    description: textOf(told.description),
    parameters: isObject(told.parameters) ? told.parameters : undefined,
    strict: typeof told.strict === 'boolean' ? told.strict : undefined,
  }) as Tool
}

function customTool(tool: Json): Tool {
  const told = isObject(tool.custom) ? tool.custom : tool
  return defined({
    name: textOf(told.name) ?? '',
    description: textOf(told.description),
    custom: defined({ format: isObject(told.format) ? formatOf(told.format) : undefined }),
  }) as Tool
}

/** Grammars are nested in chat completions, which the neutral form follows, and flat here. */
function formatOf({ type, ...rest }: Json): Json {
  return type === 'grammar' && !isObject(rest.grammar) ? { type, grammar: rest } : { type, ...rest }
}

/** In the words of chat completions' `web_search_options`. */
function searchOptions({ type: _, user_location, ...options }: Json): Json {
  if (!isObject(user_location)) return options
  const { type, ...approximate } = user_location
  return { ...options, user_location: { type: type ?? 'approximate', approximate } }
}

export function toolChoiceOf(choice: unknown): ToolChoice | undefined {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { mode: choice }
  if (!isObject(choice)) return undefined
  if (choice.type === 'allowed_tools') {
    const names = objectsOf(choice.tools).flatMap((tool) => textOf(tool.name) ?? [])
    return { mode: choice.mode === 'required' ? 'required' : 'auto', names }
  }
  const name = textOf(choice.name) ?? textOf(objectOf(choice.function).name)
  const isOwn = choice.type === 'function' || choice.type === 'custom'
  return isOwn && name ? { mode: 'required', names: [name] } : { mode: 'auto' }
}
