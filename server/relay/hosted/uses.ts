import type { DialectName } from '../../../core/channels/routing/operations.ts'
import { isRecord, recordOf } from '../../../core/records.ts'
import { searchesOfSize } from '../conversation/searches.ts'
import { refuse } from '../dialects/refuse.ts'
import { arrayOf, type Json, numberOf, objectsOf, textOf, wordOf } from '../json.ts'
import { foldKey, valuesOfSpellings } from './folded.ts'
import { SEARCHING_MODEL } from './omitted.ts'

/** A tool with a separate price that an upstream may run for a request. */
export interface HostedUse {
  /** The tool's name in the price table, with the variant. */
  readonly tool: string
  /** Maximum number of calls. Absent if the tool shares the limit of the request with other tools. */
  readonly calls?: number
  /** Maximum tokens that one call adds to the prompt, if the client sets it. */
  readonly tokensPerCall?: number
  /** Calls without a report: the tool runs for each request (`always`), or for each reply with citations (`cited`). */
  readonly unreported?: 'always' | 'cited'
  /** The model that determines the price of an image. */
  readonly model?: string
  /** Set if the tool is forwarded unchanged, and not translated to the upstream's own search. */
  readonly isVerbatim?: true
  /** Set for a function with the name of a Google tool, which is an ordinary function at other vendors. */
  readonly atGoogle?: true
}

/** Tools that the client runs, or that only instruct the model. */
const CLIENT_TOOLS = new Set([
  'function',
  'custom',
  'local_shell',
  'apply_patch',
  'computer',
  'computer_use',
  'computer_use_preview',
  'bash',
  'text_editor',
  'memory',
])
/** Matches the version in names such as `web_search_20250305` and `web_search_preview_2025_03_11`. */
const VERSION = /_(\d{8}|\d{4}_\d{2}_\d{2})$/

/** Names of Google's own tools by normalized key. */
const GOOGLE_TOOLS: ReadonlyMap<string, string> = new Map([
  ['googlesearch', 'google_search'],
  ['googlesearchretrieval', 'google_search'],
  ['googlemaps', 'google_maps'],
  ['enterprisewebsearch', 'enterprise_web_search'],
  ['codeexecution', 'code_execution'],
  ['urlcontext', 'url_context'],
  ['filesearch', 'file_search'],
])
const GOOGLE_CLIENT_TOOLS = new Set(['functiondeclarations', 'computeruse'])

/** Default number of results of OpenRouter's web plugin. */
const PLUGIN_RESULTS = 5
/** Default number of sources of xAI's live search. */
const LIVE_SOURCES = 20

/**
 * Returns the tools of a request that upstreams may run and charge for. Throws REQUEST_MALFORMED for too many tools.
 * Must be fast without tools, because it runs for each request.
 */
export function hostedUses(
  body: Readonly<Json>,
  { dialect, model }: { dialect: DialectName; model: string },
): readonly HostedUse[] {
  let uses: HostedUse[] | undefined
  const add = (moreUses: readonly HostedUse[]) => {
    if (moreUses.length > 0) uses = [...(uses ?? []), ...moreUses]
  }
  for (const name in body) {
    const value = body[name]
    if (!value || name === 'messages') continue
    if (name === 'input') add(inputUses(value))
    else add(usesIn(foldKey(name), value, dialect))
  }
  if (SEARCHING_MODEL.test(model)) add([{ tool: 'web_search', calls: 1, unreported: 'always' }])
  if (model.endsWith(':online')) add([{ tool: 'plugin.web', calls: PLUGIN_RESULTS, unreported: 'always' }])
  if (uses && uses.length > USES_MAX) refuse(`it names more than ${USES_MAX} hosted tools`)
  return uses ?? NO_USES
}
/** Maximum number of uses in a request, because each is priced for each channel. */
const USES_MAX = 128
const NO_USES: readonly HostedUse[] = []

function usesIn(key: string, value: unknown, dialect: DialectName): HostedUse[] {
  switch (key) {
    case 'tools': {
      if (dialect === 'gemini') return objectsIn(value, (name) => ({ [name]: true })).flatMap(googleUses)
      return objectsIn(value, (type) => ({ type })).flatMap(toolUses)
    }
    // An upstream that is another gateway copies the fields of `extra_body` into the body.
    case 'extrabody':
      return [...hostedUses(recordOf(value), { dialect, model: '' })]
    case 'google':
      return [...hostedUses(recordOf(value), { dialect: 'gemini', model: '' })]
    case 'plugins':
      return objectsIn(value, (id) => ({ id })).flatMap(pluginUses)
    case 'websearchoptions':
      return [{ tool: 'web_search', calls: searchesOf(recordOf(value)), unreported: 'cited' }]
    case 'searchparameters': {
      const search = recordOf(value)
      const isOff = valuesOfSpellings(search, 'mode').every((mode) => mode === 'off') && 'mode' in search
      return isOff ? [] : [{ tool: 'live_search', calls: limitIn(search, 'max_search_results') ?? LIVE_SOURCES }]
    }
    case 'enablecodeinterpreter':
      return isOn(value) ? [{ tool: 'enable_code_interpreter', calls: 1, unreported: 'always' }] : []
    case 'enablesearch':
      return isOn(value) ? [{ tool: 'enable_search', calls: 1, unreported: 'always' }] : []
    case 'websearch': {
      const switches = isRecord(value) ? valuesOfSpellings(value, 'enable') : [value]
      return switches.some(isOn) ? [{ tool: 'web_search', calls: 1, unreported: 'always' }] : []
    }
    case 'mcpservers':
      return Object.keys(Object(value)).length > 0 ? [{ tool: 'mcp' }] : []
    default:
      return []
  }
}

/** Returns an object, or the objects in a list and its nested lists. `toObject` converts a name to an object. */
function objectsIn(value: unknown, toObject: (name: string) => Json): Json[] {
  if (Array.isArray(value)) return value.flatMap((item) => objectsIn(item, toObject))
  if (typeof value === 'string') return value.trim() === '' ? [] : [toObject(value)]
  return isRecord(value) ? [value] : []
}

const FALSE_WORDS = new Set(['', '0', 'f', 'false', 'n', 'no', 'off', 'null'])

/** Whether an upstream may read a value as true. Some upstreams accept `1` and `"true"`. */
const isOn = (value: unknown): boolean => !FALSE_WORDS.has(wordOf(value ?? '').toLowerCase())

/** Returns the uses of the tools in the input items of a Responses request. */
function inputUses(input: unknown): HostedUse[] {
  const uses: HostedUse[] = []
  for (const item of arrayOf(input)) {
    if (!isRecord(item)) continue
    for (const name in item) {
      if (name.length === TOOLS.length && foldKey(name) === TOOLS) uses.push(...objectsOf(item[name]).flatMap(toolUses))
    }
  }
  return uses
}
const TOOLS = 'tools'

/**
 * Returns the uses of one element of `tools`, in any format except Google's. An element without a type is a function of
 * the client or one of Google's tools.
 */
function toolUses(tool: Json): HostedUse[] {
  // Most tools are functions in the form that OpenAI's clients send, which this check recognizes fast.
  if (tool.type === 'function' && !isGoogleFunction(tool)) {
    if (Object.keys(tool).every((name) => name === 'type' || foldKey(name) !== 'type')) return []
  }
  const types = valuesOfSpellings(tool, 'type')
  return types.length > 0 ? types.flatMap((type) => typedUses(tool, type)) : untypedUses(tool)
}

/** Returns the uses of a tool in Google's format, which clients of other formats may send to another gateway. */
function untypedUses(tool: Json): HostedUse[] {
  return Object.entries(tool).flatMap(([name, value]): HostedUse[] => {
    const googleTool = GOOGLE_TOOLS.get(foldKey(name))
    if (googleTool === undefined || !value) return []
    return [{ tool: googleTool, calls: 1, unreported: 'always', isVerbatim: true }]
  })
}

function typedUses(tool: Json, type: unknown): HostedUse[] {
  const name = wordOf(type).replace(VERSION, '')
  if (name === 'function') return googleFunction(tool)
  if (name === 'namespace') return valuesOfSpellings(tool, TOOLS).flatMap(objectsOf).flatMap(toolUses)
  if (CLIENT_TOOLS.has(name)) return []
  if (name === 'mcp_toolset') return [{ tool: 'mcp' }]
  if (name.startsWith('tool_search')) return [{ tool: 'tool_search' }]
  if (name === 'builtin_function') return [{ tool: wordOf(recordOf(tool.function).name), calls: 1 }]
  if (name === 'image_generation') return imageUses(tool)
  if (name === 'code_interpreter' || name === 'shell') return containerUses(tool, name)
  if (name === 'code_execution') return [{ tool: name, calls: 1 }]
  const calls = limitIn(tool, 'max_uses')
  const tokensPerCall = limitIn(tool, 'max_content_tokens')
  return [{ tool: name, ...(calls !== undefined && { calls }), ...(tokensPerCall !== undefined && { tokensPerCall }) }]
}

/**
 * Returns the largest limit among all spellings of a field. Returns undefined if the exact spelling has no limit,
 * because an upstream may ignore all other spellings.
 */
function limitIn(object: Json, name: string): number | undefined {
  if (!((numberOf(object[name]) ?? 0) > 0)) return undefined
  return Math.max(...valuesOfSpellings(object, foldKey(name)).map((limit) => numberOf(limit) ?? 0))
}

function isGoogleFunction(tool: Json): boolean {
  return GOOGLE_FUNCTIONS.has(wordOf(recordOf(tool.function).name ?? tool.name))
}
/** Function names that Google's provider converts to Google's tools. */
const GOOGLE_FUNCTIONS = new Set(['googleSearch', 'codeExecution', 'urlContext'])

function googleFunction(tool: Json): HostedUse[] {
  if (!isGoogleFunction(tool)) return []
  const googleTool = GOOGLE_TOOLS.get(foldKey(wordOf(recordOf(tool.function).name ?? tool.name)))
  return googleTool === undefined ? [] : [{ tool: googleTool, atGoogle: true }]
}

/** Returns the uses of one element of Google's `tools`, in which each key is a tool. An unknown tool has no price. */
function googleUses(element: Json): HostedUse[] {
  return Object.entries(element).flatMap(([name, value]): HostedUse[] => {
    const key = foldKey(name)
    if (value === null || value === undefined || GOOGLE_CLIENT_TOOLS.has(key)) return []
    return [{ tool: GOOGLE_TOOLS.get(key) ?? name }]
  })
}

function imageUses(tool: Json): HostedUse[] {
  const texts = (key: string) =>
    valuesOfSpellings(tool, key).map((value) => (value === 'auto' ? undefined : textOf(value)))
  const onlyText = (key: string) => (texts(key).length === 1 ? texts(key)[0] : undefined)
  const quality = onlyText('quality')
  const size = quality === undefined ? undefined : onlyText('size')
  const model = onlyText('model') ?? 'gpt-image-1'
  const name = ['image_generation', quality, size].filter((part) => part !== undefined).join('/')
  const partials = Math.max(0, ...valuesOfSpellings(tool, 'partialimages').map((count) => numberOf(count) ?? 0))
  return [{ tool: name, model }, ...(partials > 0 ? [{ tool: 'image_generation_partial', calls: partials }] : [])]
}

/** Returns the uses of containers, each of which is charged once. A client's local environment is free. */
function containerUses(tool: Json, name: string): HostedUse[] {
  const environments = ['container', 'environment'].flatMap((key) => valuesOfSpellings(tool, key)).filter(isRecord)
  if (name === 'shell' && environments.length > 0 && environments.every(({ type }) => type === 'local')) return []
  const memory = environments.flatMap((environment) => valuesOfSpellings(environment, 'memorylimit')).map(wordOf)
  return (memory.length > 0 ? memory : ['']).map((limit) => ({ tool: limit ? `${name}/${limit}` : name, calls: 1 }))
}

/** Returns the uses of a plugin: https://openrouter.ai/docs/features/plugins */
function pluginUses(plugin: Json): HostedUse[] {
  const switches = valuesOfSpellings(plugin, 'enabled')
  if (switches.length > 0 && switches.every((value) => value === false)) return []
  return valuesOfSpellings(plugin, 'id').flatMap((id): HostedUse[] => {
    const name = `plugin.${wordOf(id)}`
    if (id === 'web') {
      return [{ tool: name, calls: limitIn(plugin, 'max_results') ?? PLUGIN_RESULTS, unreported: 'always' }]
    }
    const engine = id === 'file-parser' ? textOf(recordOf(plugin.pdf).engine) : undefined
    return [{ tool: engine ? `${name}/${engine}` : name, calls: 1, unreported: 'always' }]
  })
}

function searchesOf(options: Json): number {
  return Math.max(
    searchesOfSize(options.search_context_size),
    ...valuesOfSpellings(options, 'searchcontextsize').map(searchesOfSize),
  )
}
