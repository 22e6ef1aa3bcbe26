import { commaList } from '../../../../core/input.ts'
import { defined, isRecord, recordOf } from '../../../../core/records.ts'
import { cacheOf, withCacheMark } from '../../conversation/cache-marks.ts'
import type {
  Conversation,
  Effort,
  FilePart,
  ImagePart,
  Part,
  ReplyFormat,
  Tool,
  ToolChoice,
  Turn,
} from '../../conversation/conversation.ts'
import { readDataUrl } from '../../conversation/media.ts'
import { arrayOf, booleanOf, type Json, numberOf, objectsOf, textOf, wordOf } from '../../json.ts'
import type { Body } from '../dialect.ts'
import { refuse } from '../refuse.ts'
import { createLegacyIds, usesLegacyFunctions } from './legacy-functions.ts'

/** Fields of chat completions and completions with the same meaning, and fields that only affect how a reply is sent. */
export const COMMON_FIELDS = commaList(`
  model, stream, stream_options, max_tokens, max_completion_tokens, temperature, top_p, top_k, n, stop, seed,
  presence_penalty, frequency_penalty, logprobs, user, service_tier, metadata
`)
/** Fields that are parsed. All others are extras. */
const CHAT_FIELDS: ReadonlySet<string> = new Set([
  ...COMMON_FIELDS,
  ...commaList(`
    messages, tools, functions, tool_choice, function_call, parallel_tool_calls, top_logprobs, reasoning_effort,
    response_format, verbosity, modalities, audio, web_search_options
  `),
])

/**
 * Parses a chat completion request: https://platform.openai.com/docs/api-reference/chat/create. Also accepts variants
 * that clients send, such as `image_url` as a string. Throws REQUEST_MALFORMED for an invalid message or tool choice.
 */
export function parseChat(body: Body): Conversation {
  return defined({
    ...commonParts(body, CHAT_FIELDS),
    turns: turnsOf(body.messages),
    tools: toolsOf(body),
    toolChoice: toolChoiceOf(body.tool_choice ?? body.function_call),
    // A reply in the legacy format can contain only one call.
    parallelCalls: usesLegacyFunctions(body) ? false : booleanOf(body.parallel_tool_calls),
    maxTokens: numberOf(body.max_completion_tokens) ?? numberOf(body.max_tokens),
    logprobs: booleanOf(body.logprobs),
    topLogprobs: numberOf(body.top_logprobs),
    reasoning: textOf(body.reasoning_effort)
      ? { effort: body.reasoning_effort as Effort, visible: body.reasoning_effort !== 'none' }
      : undefined,
    format: formatOf(body.response_format),
    verbosity: textOf(body.verbosity),
    modalities: Array.isArray(body.modalities) ? (body.modalities as string[]) : undefined,
    audio: isRecord(body.audio) ? body.audio : undefined,
    webSearch: isRecord(body.web_search_options) ? body.web_search_options : undefined,
  }) as Conversation
}

/** Returns the parts that chat completions and completions have in common. Fields not in `parsedFields` are extras. */
export function commonParts(body: Body, parsedFields: ReadonlySet<string>) {
  return {
    temperature: numberOf(body.temperature),
    topP: numberOf(body.top_p),
    topK: numberOf(body.top_k),
    stop: stopOf(body.stop),
    seed: numberOf(body.seed),
    presencePenalty: numberOf(body.presence_penalty),
    frequencyPenalty: numberOf(body.frequency_penalty),
    choices: numberOf(body.n),
    user: textOf(body.user),
    serviceTier: textOf(body.service_tier),
    metadata: isRecord(body.metadata) ? body.metadata : undefined,
    extras: Object.fromEntries(Object.entries(body).filter(([name]) => !parsedFields.has(name))),
  }
}

function turnsOf(messages: unknown): Turn[] {
  const turns: Turn[] = []
  const legacyIds = createLegacyIds()
  for (const [at, message] of arrayOf(messages).entries()) {
    if (!isRecord(message)) refuse(`messages[${at}] must be an object`)
    const turn = turnOf(legacyIds(message), at)
    const last = turns.at(-1)
    // Merge the results of one turn's calls into one turn.
    if (last && hasOnlyResults(last) && hasOnlyResults(turn))
      turns[turns.length - 1] = { ...last, parts: [...last.parts, ...turn.parts] }
    else turns.push(turn)
  }
  return turns
}

const hasOnlyResults = ({ parts }: Turn): boolean => parts.length > 0 && parts.every(({ kind }) => kind === 'result')

function turnOf(message: Json, at: number): Turn {
  const { role } = message
  if (typeof role !== 'string') refuse(`messages[${at}].role must be system, developer, user, assistant or tool`)
  const name = textOf(message.name)
  switch (role) {
    case 'system':
    case 'developer':
      return { role: 'system', parts: withCacheMark(partsOf(message.content, at), cacheOf(message)) }
    case 'user':
      return {
        role: 'user',
        parts: withCacheMark(partsOf(message.content, at), cacheOf(message)),
        ...(name && { name }),
      }
    case 'assistant':
      return assistantTurn(message, at)
    case 'tool':
    case 'function': {
      const callId = textOf(message.tool_call_id) ?? ''
      const parts = partsOf(message.content, at)
      return {
        role: 'user',
        parts: [{ kind: 'result', callId, ...(name && { name }), parts, ...cacheOf(message) }],
      }
    }
    default:
      return refuse(`messages[${at}].role is "${wordOf(role)}"; use system, developer, user, assistant or tool`)
  }
}

function assistantTurn(message: Json, at: number): Turn {
  const name = textOf(message.name)
  const prefix = message.prefix === true || message.partial === true
  const refusal = textOf(message.refusal)
  const parts = [
    ...reasoningOf(message),
    ...partsOf(message.content, at),
    ...(refusal ? [{ kind: 'refusal' as const, text: refusal }] : []),
    ...callsOf(message),
  ]
  return {
    role: 'assistant',
    parts: withCacheMark(parts, cacheOf(message)),
    ...(name && { name }),
    ...(prefix && { prefix }),
  }
}

/**
 * Returns reasoning with its signatures, if the client sent the signatures back. Otherwise returns only the text of the
 * reasoning.
 */
function reasoningOf(message: Json): Part[] {
  const details = objectsOf(message.reasoning_details).flatMap((detail): Part[] => {
    const data = textOf(detail.data)
    if (detail.type === 'reasoning.encrypted' && data) return [{ kind: 'reasoning', text: '', redacted: data }]
    const text = textOf(detail.text) ?? ''
    const signature = textOf(detail.signature)
    return text || signature ? [{ kind: 'reasoning', text, ...(signature && { signature }) }] : []
  })
  if (details.length) return details
  const text = textOf(message.reasoning_content) ?? textOf(message.reasoning)
  return text ? [{ kind: 'reasoning', text }] : []
}

function callsOf(message: Json): Part[] {
  const calls = objectsOf(message.tool_calls).map((call): Part => {
    const custom = isRecord(call.custom)
    const called = recordOf(custom ? call.custom : call.function)
    const args = custom ? called.input : called.arguments
    const signature = textOf(recordOf(recordOf(call.extra_content).google).thought_signature)
    return {
      kind: 'call',
      id: textOf(call.id) ?? '',
      name: textOf(called.name) ?? '',
      arguments: typeof args === 'string' ? args : isRecord(args) ? JSON.stringify(args) : '',
      ...(custom && { custom }),
      ...(signature && { signature }),
    }
  })
  if (!isRecord(message.function_call)) return calls
  const { id, name, arguments: args } = message.function_call
  return [...calls, { kind: 'call', id: wordOf(id), name: wordOf(name), arguments: textOf(args) ?? '' }]
}

function partsOf(content: unknown, at: number): Part[] {
  if (content === null || content === undefined) return []
  if (typeof content === 'string') return [{ kind: 'text', text: content }]
  if (!Array.isArray(content)) return refuse(`messages[${at}].content must be a text or an array of parts`)
  return content.map((part) =>
    isRecord(part) ? partOf(part) : refuse(`messages[${at}].content has a part that is no object`),
  )
}

function partOf(part: Json): Part {
  const cache = cacheOf(part)
  if (typeof part.text === 'string') return { kind: 'text', text: part.text, ...cache }
  if (part.type === 'refusal') return { kind: 'refusal', text: textOf(part.refusal) ?? '' }
  if (part.type === 'image_url' || part.type === 'input_image') return { ...imageOf(part), ...cache }
  if (part.type === 'input_audio') {
    const audio = recordOf(part.input_audio)
    return { kind: 'audio', data: textOf(audio.data) ?? '', format: textOf(audio.format) ?? 'wav' }
  }
  if (part.type === 'file') return { ...fileOf(recordOf(part.file)), ...cache }
  return { kind: 'other', part }
}

function imageOf(part: Json): ImagePart {
  const image = isRecord(part.image_url) ? part.image_url : { url: part.image_url, detail: part.detail }
  const url = textOf(image.url) ?? ''
  const detail = textOf(image.detail)
  return { kind: 'image', media: readDataUrl(url) ?? { url }, ...(detail && { detail }) }
}

function fileOf(file: Json): FilePart {
  const name = textOf(file.filename)
  const id = textOf(file.file_id)
  const data = textOf(file.file_data) ?? ''
  const media = id
    ? { id }
    : (readDataUrl(data) ?? (/^https?:/.test(data) ? { url: data } : { data, mime: 'application/pdf' }))
  return { kind: 'file', media, ...(name && { name }) }
}

function toolsOf(body: Body): Tool[] {
  const tools = objectsOf(body.tools).map((tool): Tool => {
    if (isRecord(tool.custom)) {
      const { name, description, format } = tool.custom
      return defined({
        name: wordOf(name),
        description: textOf(description),
        custom: defined({ format: format ?? undefined }),
        ...cacheOf(tool),
      }) as Tool
    }
    if (isRecord(tool.function)) return functionTool(tool.function, tool)
    return { name: wordOf(tool.type ?? ''), vendor: { dialect: 'openai-chat', tool } }
  })
  return [...tools, ...objectsOf(body.functions).map((tool) => functionTool(tool, {}))]
}

function functionTool(tool: Json, wrapper: Json): Tool {
  return defined({
    name: textOf(tool.name) ?? '',
    description: textOf(tool.description),
    parameters: isRecord(tool.parameters) ? tool.parameters : undefined,
    strict: booleanOf(tool.strict),
    // Clients put the cache mark into the function or beside it.
    ...cacheOf(tool),
    ...cacheOf(wrapper),
  }) as Tool
}

function toolChoiceOf(choice: unknown): ToolChoice | undefined {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { mode: choice }
  if (choice === undefined || choice === null) return undefined
  if (!isRecord(choice)) return refuse('tool_choice must be auto, none, required or an object', 'tool_choice')
  if (choice.type === 'allowed_tools') {
    const allowedTools = recordOf(choice.allowed_tools ?? choice)
    const names = objectsOf(allowedTools.tools).map(
      (tool) => textOf(recordOf(tool.function ?? tool.custom ?? tool).name) ?? '',
    )
    return { mode: allowedTools.mode === 'required' ? 'required' : 'auto', names }
  }
  const name = textOf(recordOf(choice.function ?? choice.custom ?? choice).name)
  if (!name) refuse(`tool_choice of type "${wordOf(choice.type)}" is not supported for this model: name a function`)
  return { mode: 'required', names: [name] }
}

function stopOf(stop: unknown): string[] | undefined {
  if (typeof stop === 'string') return [stop]
  return Array.isArray(stop) ? stop.filter((item): item is string => typeof item === 'string') : undefined
}

/**
 * Reads a reply format. With `mayBeFlat`, also reads the flat fields of the Responses API. Clients written for chat
 * completions nest the fields in `json_schema` even there.
 */
export function formatOf(format: unknown, { mayBeFlat = false } = {}): ReplyFormat | undefined {
  if (!isRecord(format)) return undefined
  if (format.type === 'json_object') return { kind: 'json' }
  if (format.type !== 'json_schema') return undefined
  const isFlat = mayBeFlat && !isRecord(format.json_schema)
  const definition = isFlat ? format : recordOf(format.json_schema)
  return defined({
    kind: 'schema',
    name: textOf(definition.name) ?? 'output',
    schema: recordOf(definition.schema),
    strict: booleanOf(definition.strict),
    description: textOf(definition.description),
  }) as ReplyFormat
}
