import { parseObject } from '../../../core/input.ts'
import { defined, isRecord, recordOf } from '../../../core/records.ts'
import { refuse } from '../dialects/refuse.ts'
import { arrayOf, type Json, numberOf, objectsOf, textOf, wordOf } from '../json.ts'
import { imageType } from '../providers/anthropic/media-blocks.ts'
import { type ChatPiece, type FacadeUsage, pieceOf } from './chat-pieces.ts'
import type { Facade, FacadeStream } from './facade.ts'

export const ollamaError = (_status: number, message: string): Json => ({ error: message })

/** The field of the reply that contains the output: `message` for chat, `response` for generate. */
type OutputField = 'message' | 'response'

/** Translates a request of Ollama's chat API. Throws REQUEST_MALFORMED. https://docs.ollama.com/api/chat */
export function ollamaChatFacade(body: Json): Facade {
  return facadeOf(body, messagesOf(objectsOf(body.messages)), 'message')
}

/** Translates a request of Ollama's generate API: https://docs.ollama.com/api/generate. Throws REQUEST_MALFORMED. */
export function ollamaGenerate(body: Json): Facade {
  for (const field of ['suffix', 'template', 'context', 'raw']) {
    const value = body[field]
    if (value !== undefined && value !== null && value !== '' && value !== false) {
      refuse(`${field} is not served here: leave it out`, field)
    }
  }
  const system = textOf(body.system)
  const messages = [
    ...(system ? [{ role: 'system', content: system }] : []),
    { role: 'user', content: contentOf({ content: textOf(body.prompt) ?? '', images: body.images }) },
  ]
  return facadeOf(body, messages, 'response')
}

function facadeOf(body: Json, messages: Json[], outputField: OutputField): Facade {
  const options = recordOf(body.options)
  const isStream = body.stream !== false
  const model = wordOf(body.model)
  const limit = numberOf(options.num_predict)
  return {
    path: '/v1/chat/completions',
    body: defined({
      model: body.model,
      messages,
      tools: arrayOf(body.tools).length > 0 ? body.tools : undefined,
      response_format: formatOf(body.format),
      // A negative number means no limit.
      max_tokens: limit !== undefined && limit > 0 ? limit : undefined,
      temperature: options.temperature,
      top_p: options.top_p,
      top_k: options.top_k,
      seed: options.seed,
      stop: options.stop,
      frequency_penalty: options.frequency_penalty,
      presence_penalty: options.presence_penalty,
      reasoning_effort: effortOf(body.think),
      ...(isStream && { stream: true, stream_options: { include_usage: true } }),
    }),
    whole(reply) {
      const piece = pieceOf(reply)
      return lineOf(piece, { model, outputField, calls: callsOf(piece.calls), done: true })
    },
    ...(isStream && { stream: lineStream(model, outputField) }),
  }
}

function effortOf(think: unknown): string | undefined {
  if (typeof think === 'string') return think
  return think === true ? 'medium' : think === false ? 'none' : undefined
}

function formatOf(format: unknown): Json | undefined {
  if (format === 'json') return { type: 'json_object' }
  return isRecord(format) ? { type: 'json_schema', json_schema: { name: 'output', schema: format } } : undefined
}

/**
 * Converts messages. Adds call ids, which older clients omit. A result without an id belongs to the first call of its
 * tool that has no result yet.
 */
function messagesOf(messages: readonly Json[]): Json[] {
  const openCalls = new OpenCalls()
  return messages.map((message, at) => {
    if (message.role === 'tool') {
      const name = textOf(message.tool_name) ?? textOf(message.name)
      const id = openCalls.take({ id: textOf(message.tool_call_id), name }) ?? `call_${at}`
      return { role: 'tool', tool_call_id: id, content: textOf(message.content) ?? '' }
    }
    const calls = objectsOf(message.tool_calls).map((call, index) => {
      const { name, arguments: args } = recordOf(call.function)
      const id = textOf(call.id) ?? `call_${at}_${index}`
      openCalls.add({ id, name: wordOf(name) })
      return {
        id,
        type: 'function',
        function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args ?? {}) },
      }
    })
    return defined({
      role: message.role,
      content: contentOf(message),
      tool_calls: calls.length > 0 ? calls : undefined,
    })
  })
}

interface Call {
  readonly id: string
  readonly name: string
}

/** The calls that have no result yet, in maps, because a request can have thousands of calls. */
class OpenCalls {
  private readonly all = new Set<Call>()
  private readonly byId = new Map<string, Set<Call>>()
  private readonly byName = new Map<string, Set<Call>>()

  add(call: Call): void {
    this.all.add(call)
    for (const [calls, key] of this.keysOf(call)) calls.set(key, (calls.get(key) ?? new Set()).add(call))
  }

  /**
   * Removes a call and returns its id, or undefined if no call remains. Takes the first call with `id`, or with `name`
   * if `id` is undefined. If there is no such call, takes the first of all calls.
   */
  take({ id, name }: { [Key in keyof Call]: string | undefined }): string | undefined {
    const matches = id === undefined ? this.byName.get(name ?? '') : this.byId.get(id)
    const [call] = matches && matches.size > 0 && (id ?? name) !== undefined ? matches : this.all
    if (!call) return undefined
    this.all.delete(call)
    for (const [calls, key] of this.keysOf(call)) calls.get(key)?.delete(call)
    return call.id
  }

  private keysOf({ id, name }: Call): readonly (readonly [Map<string, Set<Call>>, string])[] {
    return [
      [this.byId, id],
      [this.byName, name],
    ]
  }
}

/** Maximum number of images in a message. No upstream accepts more. */
const IMAGES_MAX = 1000

function contentOf({ content, images }: Json): unknown {
  if (arrayOf(images).length > IMAGES_MAX) refuse(`a message can have at most ${IMAGES_MAX} images`, 'images')
  const pictures = arrayOf(images).map((image) => {
    const data = String(image)
    // Ollama's requests do not state the type of an image.
    const url = `data:${imageType({ data, mime: 'image/png' })};base64,${data}`
    return { type: 'image_url', image_url: { url } }
  })
  return pictures.length === 0 ? content : [{ type: 'text', text: content }, ...pictures]
}

type Calls = readonly { readonly id?: string; readonly name?: string; readonly arguments: string }[]

function callsOf(calls: Calls): Json[] {
  return calls.map(({ id, name, arguments: args }) => ({
    ...(id !== undefined && { id }),
    function: { name, arguments: parseObject(args) ?? {} },
  }))
}

interface LineOptions {
  readonly model: string
  readonly outputField: OutputField
  readonly calls: readonly Json[]
  readonly done: boolean
}

function lineOf(
  { text, reasoning, finish, usage }: Omit<ChatPiece, 'calls'>,
  { model, outputField, calls, done }: LineOptions,
): Json {
  const thinking = reasoning === '' ? {} : { thinking: reasoning }
  const output =
    outputField === 'message'
      ? { message: { role: 'assistant', content: text, ...thinking, ...(calls.length > 0 && { tool_calls: calls }) } }
      : { response: text, ...thinking }
  return {
    model,
    created_at: new Date().toISOString(),
    ...output,
    done,
    ...(done && {
      done_reason: finish === 'length' ? 'length' : 'stop',
      // The durations are 0, because other upstreams do not report them.
      total_duration: 0,
      load_duration: 0,
      prompt_eval_count: usage?.prompt ?? 0,
      prompt_eval_duration: 0,
      eval_count: usage?.completion ?? 0,
      eval_duration: 0,
    }),
  }
}

/** Creates a stream of JSON lines. Writes calls at the end, because Ollama's format has only complete calls. */
function lineStream(model: string, outputField: OutputField): FacadeStream {
  const calls = new Map<number, { id?: string; name: string; arguments: string }>()
  let finish: string | undefined
  let usage: FacadeUsage | undefined
  const format = (line: Json) => `${JSON.stringify(line)}\n`
  return {
    contentType: 'application/x-ndjson',
    chunk(body) {
      const piece = pieceOf(body)
      finish = piece.finish ?? finish
      usage = piece.usage ?? usage
      for (const { index, id, name = '', arguments: args } of piece.calls) {
        const soFar = calls.get(index) ?? { name: '', arguments: '' }
        const call = { ...soFar, name: soFar.name + name, arguments: soFar.arguments + args }
        calls.set(index, id === undefined ? call : { ...call, id })
      }
      if (piece.text === '' && piece.reasoning === '') return ''
      return format(lineOf({ ...piece, usage: undefined }, { model, outputField, calls: [], done: false }))
    },
    end(error) {
      if (error) return format(error)
      const toolCalls = callsOf([...calls.values()])
      const options = { model, outputField, calls: toolCalls, done: false }
      const callLine = toolCalls.length > 0 ? format(lineOf(EMPTY, options)) : ''
      return callLine + format(lineOf({ ...EMPTY, finish, usage }, { model, outputField, calls: [], done: true }))
    },
  }
}

const EMPTY = { text: '', reasoning: '', finish: undefined, usage: undefined }

/** Translates a request of Ollama's embed or legacy embeddings API (`isLegacy`): https://docs.ollama.com/api/embed */
export function ollamaEmbed(body: Json, { isLegacy }: { isLegacy: boolean }): Facade {
  return {
    path: '/v1/embeddings',
    body: defined({
      model: body.model,
      input: isLegacy ? body.prompt : body.input,
      dimensions: body.dimensions,
      encoding_format: 'float',
    }),
    whole({ data, usage }) {
      const embeddings = objectsOf(data).map(({ embedding }) => embedding)
      if (isLegacy) return { embedding: embeddings[0] ?? [] }
      const count = numberOf(recordOf(usage).prompt_tokens) ?? 0
      return { model: body.model, embeddings, total_duration: 0, load_duration: 0, prompt_eval_count: count }
    },
  }
}

/** Returns a model for Ollama's list. Fields that describe local model files are empty. */
export function ollamaModel(id: string): Json {
  return {
    name: id,
    model: id,
    modified_at: '2023-01-01T00:00:00Z',
    size: 0,
    digest: '',
    details: { parent_model: '', format: '', family: '', families: [], parameter_size: '', quantization_level: '' },
  }
}
