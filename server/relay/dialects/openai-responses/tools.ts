import { defined, isRecord, recordOf } from '../../../../core/records.ts'
import type { Tool, ToolChoice } from '../../conversation/conversation.ts'
import { booleanOf, type Json, objectsOf, textOf, wordOf } from '../../json.ts'
import { refuse } from '../refuse.ts'
import { SHELL_TOOL, type ToolNames } from './tool-names.ts'

/** The tools of a request, translated for upstreams of other formats. */
interface TranslatedTools {
  readonly tools: Tool[]
  /** Options of the requested web search, if any. */
  readonly webSearch?: Record<string, unknown>
  /** Name of the field that requests the web search, reported if the search is omitted. */
  readonly webSearchField?: string
  /** Fields of omitted tools: tools that only OpenAI runs, such as `tools[3].image_generation`, and repeated names. */
  readonly omitted?: string[]
}

/** Returns the client's tools as functions, the requested web search, and the omitted tools. */
export function responsesToolsOf(tools: unknown, names: ToolNames): TranslatedTools {
  const translated: Tool[] = []
  const omitted: string[] = []
  const listedNames = new Set<string>()
  let search: Pick<TranslatedTools, 'webSearch' | 'webSearchField'> = {}
  /** Adds a tool, unless the list already has its name: upstreams reject repeated names. */
  const list = (tool: Tool, field: string): void => {
    if (listedNames.has(tool.name)) omitted.push(field)
    else translated.push(tool)
    listedNames.add(tool.name)
  }
  const add = (tool: Json, at: string, namespace?: string): void => {
    const type = wordOf(tool.type)
    if (type === 'function') list(renamedTool(functionTool(tool), names, namespace), `${at}.${type}`)
    else if (type === 'custom') list(renamedTool(customTool(tool), names, namespace), `${at}.${type}`)
    else if (type === 'local_shell') list(shellTool(names), `${at}.${type}`)
    else if (type === 'namespace' && namespace === undefined) {
      const inner = objectsOf(tool.tools)
      for (const [index, innerTool] of inner.entries()) add(innerTool, `${at}.tools[${index}]`, textOf(tool.name) ?? '')
    } else if (type.startsWith('web_search'))
      search = { webSearch: searchOptions(tool), webSearchField: `${at}.${headerWord(type)}` }
    else omitted.push(`${at}.${headerWord(type)}`)
  }
  for (const [index, tool] of objectsOf(tools).entries()) add(tool, `tools[${index}]`)
  return { tools: translated, ...search, ...(omitted.length > 0 && { omitted }) }
}

const HEADER_WORD_LENGTH_MAX = 64

/** Shortens a word for the header of omitted tools, and replaces characters that a header cannot contain. */
function headerWord(word: string): string {
  return word.replaceAll(/[^\w.-]/g, '_').slice(0, HEADER_WORD_LENGTH_MAX)
}

function renamedTool(tool: Tool, names: ToolNames, namespace: string | undefined): Tool {
  return namespace === undefined ? tool : { ...tool, name: names.functionName({ name: tool.name, namespace }) }
}

/** The schema of OpenAI's shell tool: https://platform.openai.com/docs/guides/tools-local-shell */
function shellTool(names: ToolNames): Tool {
  return {
    name: names.functionName(SHELL_TOOL),
    description: 'Runs a command on the computer of the user and returns its output.',
    parameters: {
      type: 'object',
      properties: {
        command: { type: 'array', items: { type: 'string' }, description: 'The program and its arguments.' },
        working_directory: { type: 'string', description: 'The directory to run the command in.' },
        timeout_ms: { type: 'integer', description: 'The longest time that the command may take, in milliseconds.' },
        env: { type: 'object', additionalProperties: { type: 'string' }, description: 'Environment variables.' },
      },
      required: ['command'],
    },
  }
}

/**
 * Reads a function tool. The documented fields are flat. Clients written for chat completions nest them in `function`.
 */
function functionTool(tool: Json): Tool {
  const definition = isRecord(tool.function) ? tool.function : tool
  return defined({
    name: textOf(definition.name) ?? '',
    description: textOf(definition.description),
    parameters: isRecord(definition.parameters) ? definition.parameters : undefined,
    strict: booleanOf(definition.strict),
  }) as Tool
}

function customTool(tool: Json): Tool {
  const definition = isRecord(tool.custom) ? tool.custom : tool
  return defined({
    name: textOf(definition.name) ?? '',
    description: textOf(definition.description),
    custom: defined({ format: isRecord(definition.format) ? formatOf(definition.format) : undefined }),
  }) as Tool
}

/** Nests a grammar in the field `grammar`, as chat completions do. */
function formatOf({ type, ...rest }: Json): Json {
  return type === 'grammar' && !isRecord(rest.grammar) ? { type, grammar: rest } : { type, ...rest }
}

/**
 * Converts search options to `web_search_options` of chat completions. Drops options that chat completions do not have.
 */
function searchOptions({ search_context_size, user_location }: Json): Json {
  const size = search_context_size === undefined ? {} : { search_context_size }
  if (!isRecord(user_location)) return size
  const { type, ...approximate } = user_location
  return { ...size, user_location: { type: type ?? 'approximate', approximate } }
}

/** Returns the tool choice with function names. Throws REQUEST_MALFORMED if a required tool has no function. */
export function responsesToolChoiceOf(
  choice: unknown,
  translated: TranslatedTools,
  names: ToolNames,
): ToolChoice | undefined {
  if (choice === undefined || choice === null || choice === 'auto' || choice === 'none') {
    return typeof choice === 'string' ? { mode: choice } : undefined
  }
  if (choice === 'required') {
    const isServed = translated.tools.length > 0 || translated.webSearch !== undefined || !translated.omitted
    return isServed ? { mode: 'required' } : refuseDemand('required', translated.omitted.join(', '))
  }
  if (!isRecord(choice)) return refuse('tool_choice must be auto, none, required or an object', 'tool_choice')
  if (choice.type === 'allowed_tools') return allowedTools(choice, names)
  return { mode: 'required', names: [chosenName(choice, names) ?? refuseDemand('of this type', wordOf(choice.type))] }
}

function allowedTools(choice: Json, names: ToolNames): ToolChoice {
  const allowedChoices = objectsOf(choice.tools)
  const functions = allowedChoices.flatMap((tool) => chosenName(tool, names) ?? [])
  if (choice.mode !== 'required') return { mode: 'auto', names: functions }
  if (functions.length > 0) return { mode: 'required', names: functions }
  return refuseDemand('allowed_tools', allowedChoices.map(({ type }) => wordOf(type)).join(', '))
}

function chosenName(choice: Json, names: ToolNames): string | undefined {
  if (choice.type === 'local_shell') return names.functionName(SHELL_TOOL)
  if (choice.type !== 'function' && choice.type !== 'custom') return undefined
  const name = textOf(choice.name) ?? textOf(recordOf(choice.function).name)
  const namespace = textOf(choice.namespace)
  return name && names.functionName({ name, ...(namespace !== undefined && { namespace }) })
}

function refuseDemand(form: string, tools: string): never {
  refuse(`tool_choice ${form} demands a tool that this model does not have (${tools}): use auto, or name a function`)
}
