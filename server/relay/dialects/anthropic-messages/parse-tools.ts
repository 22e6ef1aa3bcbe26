import { defined, isRecord, recordOf } from '../../../../core/records.ts'
import { cacheOf } from '../../conversation/cache-marks.ts'
import type { Conversation, Tool, ToolChoice } from '../../conversation/conversation.ts'
import { type Json, lookup, numberOf, objectsOf, textOf, wordOf } from '../../json.ts'
import type { Body } from '../dialect.ts'
import { refuse } from '../refuse.ts'

const TEXT = { type: 'string' }
/** Tools that Claude knows by their type. Other models need a description and parameters. */
const KNOWN_TOOLS: readonly { type: RegExp; description: string; parameters: Json }[] = [
  {
    type: /^bash_/,
    description: 'Runs a command in a persistent bash session.',
    parameters: {
      type: 'object',
      properties: {
        command: { ...TEXT, description: 'The command to run. Required unless restart is set.' },
        restart: { type: 'boolean', description: 'Restarts the session.' },
      },
    },
  },
  {
    type: /^text_editor_/,
    description: 'Views and edits text files.',
    parameters: {
      type: 'object',
      properties: {
        command: { ...TEXT, enum: ['view', 'create', 'str_replace', 'insert', 'undo_edit'] },
        path: { ...TEXT, description: 'The file or directory.' },
        file_text: { ...TEXT, description: 'create: the content of the new file.' },
        old_str: { ...TEXT, description: 'str_replace: the text to replace; it must occur once.' },
        new_str: { ...TEXT, description: 'str_replace, insert: the new text.' },
        insert_text: { ...TEXT, description: 'insert: the text to insert.' },
        insert_line: {
          type: 'integer',
          description: 'insert: the line after which the text is inserted; 0 inserts at the start.',
        },
        view_range: { type: 'array', items: { type: 'integer' }, description: 'view: the first and the last line.' },
      },
      required: ['command', 'path'],
    },
  },
]

export function readTools(
  body: Body,
): Pick<Conversation, 'tools' | 'toolChoice' | 'parallelCalls' | 'webSearch' | 'searchesMax'> {
  const clientTools = objectsOf(body.tools)
  const search = clientTools.find(isSearch)
  const choice = isRecord(body.tool_choice) ? body.tool_choice : undefined
  return {
    tools: clientTools.flatMap((tool, at) => (isSearch(tool) ? [] : [readTool(tool, clientTools, at)])),
    ...defined({
      toolChoice: choice && readChoice(choice),
      parallelCalls: choice?.disable_parallel_tool_use === true ? false : undefined,
      webSearch: search && searchOptions(search),
      searchesMax: numberOf(search?.max_uses),
    }),
  }
}

function isSearch({ type }: Json): boolean {
  return typeof type === 'string' && type.startsWith('web_search_')
}

function searchOptions({ user_location }: Json): Json {
  if (!isRecord(user_location)) return {}
  const { type: _, ...approximate } = user_location
  return { user_location: { type: 'approximate', approximate } }
}

function readTool(tool: Json, clientTools: readonly Json[], at: number): Tool {
  const next = clientTools[at + 1]
  // `Conversation.tools` omits the web search. A tool directly before the search therefore gets the search's cache
  // mark, unless it has its own.
  const cache = { ...(next && isSearch(next) && cacheOf(next)), ...cacheOf(tool) }
  const type = textOf(tool.type) ?? 'custom'
  if (type !== 'custom') return { ...readTypedTool(tool, type), ...cache }
  const name = textOf(tool.name)
  if (!name) refuse(`tools[${at}].name is required`)
  const parameters = recordOf(tool.input_schema)
  return {
    name,
    ...(textOf(tool.description) && { description: wordOf(tool.description) }),
    ...(Object.keys(parameters).length > 0 && { parameters }),
    ...(typeof tool.strict === 'boolean' && { strict: tool.strict }),
    ...cache,
  }
}

function readTypedTool(tool: Json, type: string): Tool {
  const knownTool = KNOWN_TOOLS.find((candidate) => candidate.type.test(type))
  const name = textOf(tool.name) ?? type
  if (knownTool) return { name, description: knownTool.description, parameters: knownTool.parameters }
  return { name: type, vendor: { dialect: 'anthropic-messages', tool } }
}

const MODES: Readonly<Record<string, ToolChoice['mode']>> = lookup({ auto: 'auto', any: 'required', none: 'none' })

function readChoice({ type, name }: Json): ToolChoice {
  const mode = MODES[wordOf(type)]
  if (mode) return { mode }
  const toolName = textOf(name)
  if (type !== 'tool' || !toolName) refuse('tool_choice must be auto, any, none, or tool with a name')
  return { mode: 'required', names: [toolName] }
}
