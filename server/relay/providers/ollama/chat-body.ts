import { defined, recordOf } from '../../../../core/records.ts'
import { readDataUrl } from '../../conversation/media.ts'
import { argumentsOf } from '../../conversation/turns.ts'
import { refuse } from '../../dialects/refuse.ts'
import { type Json, lookup, objectsOf, textOf, wordOf } from '../../json.ts'

/** Ollama's thinking levels by OpenAI's efforts. */
const LEVELS: Readonly<Record<string, string | boolean>> = lookup({
  none: false,
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
})
/** Ollama's options by OpenAI's top-level fields. */
const OPTIONS: Readonly<Record<string, string>> = lookup({
  max_tokens: 'num_predict',
  max_completion_tokens: 'num_predict',
  temperature: 'temperature',
  top_p: 'top_p',
  top_k: 'top_k',
  min_p: 'min_p',
  seed: 'seed',
  stop: 'stop',
  presence_penalty: 'presence_penalty',
  frequency_penalty: 'frequency_penalty',
})

/**
 * Converts a chat completions request with inlined images to Ollama's own format. Throws REQUEST_MALFORMED for other
 * media. https://github.com/ollama/ollama/blob/main/docs/api.md
 */
export function toOllamaChat(body: Json): Json {
  const effort = textOf(body.reasoning_effort)
  const vendorOptions = Object.entries(OPTIONS).flatMap(([name, vendorName]) =>
    body[name] === undefined ? [] : [[vendorName, body[name]]],
  )
  const options = { ...Object.fromEntries(vendorOptions), ...recordOf(body.options) }
  const tools = body.tool_choice === 'none' ? undefined : body.tools
  return defined({
    model: body.model,
    messages: messagesOf(objectsOf(body.messages)),
    tools,
    format: formatOf(recordOf(body.response_format)),
    options: Object.keys(options).length > 0 ? options : undefined,
    // Ollama streams by default.
    stream: body.stream === true,
    keep_alive: body.keep_alive,
    logprobs: body.logprobs,
    top_logprobs: body.top_logprobs,
    think: body.think ?? (effort === undefined ? undefined : LEVELS[effort]),
  })
}

function formatOf({ type, json_schema }: Json): unknown {
  if (type === 'json_object') return 'json'
  return type === 'json_schema' ? (recordOf(json_schema).schema ?? 'json') : undefined
}

function messagesOf(messages: readonly Json[]): Json[] {
  const allCalls = messages.flatMap(({ tool_calls }) => objectsOf(tool_calls))
  const names = new Map(allCalls.map(({ id, function: called }) => [id, recordOf(called).name]))
  return messages.map((message) => {
    const calls = objectsOf(message.tool_calls)
    const { text, images } = contentOf(message.content)
    return defined({
      role: message.role === 'developer' ? 'system' : message.role,
      content: text,
      images: images.length > 0 ? images : undefined,
      thinking: textOf(message.reasoning_content),
      tool_calls: calls.length > 0 ? calls.map(callOf) : undefined,
      tool_name: message.role === 'tool' ? names.get(message.tool_call_id) : undefined,
    })
  })
}

function callOf({ function: called }: Json): Json {
  const { name, arguments: args } = recordOf(called)
  const text = textOf(args) ?? ''
  // Ollama accepts only an object, so other text becomes the property `arguments` of an object.
  return { function: { name, arguments: argumentsOf({ arguments: text }) ?? { arguments: text } } }
}

function contentOf(content: unknown): { text: string; images: string[] } {
  if (typeof content === 'string') return { text: content, images: [] }
  const parts = objectsOf(content)
  const images = parts.filter(({ type }) => type === 'image_url').map(imageOf)
  const otherPart = parts.find(({ type }) => type !== 'text' && type !== 'image_url')
  if (otherPart) {
    refuse(`messages: Ollama reads texts and images, and no part of type ${wordOf(otherPart.type)}; leave it out`)
  }
  return { text: parts.flatMap(({ text }) => textOf(text) ?? []).join('\n'), images }
}

function imageOf({ image_url }: Json): string {
  return readDataUrl(textOf(recordOf(image_url).url) ?? '')?.data ?? refuse('image_url: send an address or a data: URL')
}
