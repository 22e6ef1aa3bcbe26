import { defined, isRecord, recordOf } from '../../../core/records.ts'
import { refuse } from '../dialects/refuse.ts'
import { arrayOf, type Json, numberOf, objectsOf, textOf, wordOf } from '../json.ts'
import { vectorAsBase64 } from '../providers/embedding-vectors.ts'
import { type FacadeUsage, pieceOf } from './chat-pieces.ts'
import type { Facade, FacadeStream } from './facade.ts'

/** Fields that this facade does not convert. */
const REJECTED_FIELDS = ['documents', 'logprobs'] as const
const FINISH_REASONS: Readonly<Record<string, string>> = {
  stop: 'COMPLETE',
  length: 'MAX_TOKENS',
  tool_calls: 'TOOL_CALL',
  content_filter: 'ERROR',
}

export const cohereError = (_status: number, message: string): Json => ({ message })

/** Converts a request of Cohere's v2 chat: https://docs.cohere.com/reference/chat. Throws REQUEST_MALFORMED. */
export function cohereChat(body: Json): Facade {
  for (const field of REJECTED_FIELDS) {
    if (arrayOf(body[field]).length > 0 || body[field] === true)
      refuse(`${field} is not served here: leave it out`, field)
  }
  const isStream = body.stream === true
  return {
    path: '/v1/chat/completions',
    body: defined({
      model: body.model,
      messages: objectsOf(body.messages).map(messageOf),
      tools: arrayOf(body.tools).length > 0 ? body.tools : undefined,
      tool_choice: { REQUIRED: 'required', NONE: 'none' }[wordOf(body.tool_choice)],
      response_format: formatOf(body.response_format),
      max_tokens: body.max_tokens,
      temperature: body.temperature,
      top_p: body.p,
      top_k: body.k,
      stop: body.stop_sequences,
      seed: body.seed,
      frequency_penalty: body.frequency_penalty,
      presence_penalty: body.presence_penalty,
      ...(isStream && { stream: true, stream_options: { include_usage: true } }),
    }),
    whole: wholeChat,
    ...(isStream && { stream: chatStream() }),
  }
}

/**
 * Converts a request of Cohere's v2 rerank, which differs from `/v1/rerank` only in its errors:
 * https://docs.cohere.com/reference/rerank
 */
export function cohereRerank(body: Json): Facade {
  return { path: '/v1/rerank', body, whole: (reply) => reply }
}

function messageOf(message: Json): Json {
  const { role, content, tool_calls, tool_call_id } = message
  if (role === 'tool')
    return { role, tool_call_id, content: textOf(content) ?? arrayOf(content).map(resultText).join('\n') }
  const parts = Array.isArray(content) ? content.filter((part) => !isRecord(part) || part.type !== 'thinking') : content
  return defined({ role, content: parts ?? (role === 'assistant' ? null : undefined), tool_calls })
}

/** Returns the text of one part of a tool result, which is a text, or a document with data. */
function resultText(part: unknown): string {
  const { text, document } = recordOf(part)
  const { data } = recordOf(document)
  return textOf(text) ?? textOf(data) ?? JSON.stringify(data ?? part)
}

function formatOf(format: unknown): Json | undefined {
  const { type, json_schema, schema } = recordOf(format)
  if (type !== 'json_object') return undefined
  const jsonSchema = json_schema ?? schema
  if (!isRecord(jsonSchema)) return { type }
  return { type: 'json_schema', json_schema: { name: 'output', schema: jsonSchema } }
}

function usageOf(usage: FacadeUsage | undefined): Json | undefined {
  if (!usage) return undefined
  const counts = { input_tokens: usage.prompt, output_tokens: usage.completion }
  return { billed_units: counts, tokens: counts }
}

function wholeChat(body: Json): Json {
  const { text, reasoning, calls, finish, usage } = pieceOf(body)
  const content = [
    ...(reasoning === '' ? [] : [{ type: 'thinking', thinking: reasoning }]),
    ...(text === '' ? [] : [{ type: 'text', text }]),
  ]
  const toolCalls = calls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  }))
  return {
    id: body.id,
    finish_reason: FINISH_REASONS[finish ?? 'stop'] ?? 'COMPLETE',
    message: defined({
      role: 'assistant',
      content: content.length > 0 ? content : undefined,
      tool_calls: toolCalls.length > 0 ? toolCalls : undefined,
    }),
    usage: usageOf(usage),
  }
}

/** Creates a stream of Cohere's events. Ends each block before the next. https://docs.cohere.com/docs/streaming */
function chatStream(): FacadeStream {
  let hasBegun = false
  let index = -1
  let open: 'thinking' | 'text' | 'call' | undefined
  let openCallIndex = -1
  let finish: string | undefined
  let usage: FacadeUsage | undefined
  const format = (event: Json & { type: string }) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

  function close(): string {
    if (!open) return ''
    const type = open === 'call' ? 'tool-call-end' : 'content-end'
    open = undefined
    return format({ type, index })
  }

  function writeText(kind: 'thinking' | 'text', text: string): string {
    if (text === '') return ''
    let events = ''
    if (open !== kind) {
      events += close()
      open = kind
      index += 1
      events += format({ type: 'content-start', index, delta: { message: { content: { type: kind, [kind]: '' } } } })
    }
    return events + format({ type: 'content-delta', index, delta: { message: { content: { [kind]: text } } } })
  }

  return {
    contentType: 'text/event-stream; charset=utf-8',
    chunk(body) {
      const piece = pieceOf(body)
      finish = piece.finish ?? finish
      usage = piece.usage ?? usage
      let events = ''
      if (!hasBegun) {
        hasBegun = true
        const message = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] }
        events += format({ type: 'message-start', id: body.id, delta: { message } })
      }
      events += writeText('thinking', piece.reasoning) + writeText('text', piece.text)
      for (const { index: callIndex, id, name, arguments: args } of piece.calls) {
        if (callIndex !== openCallIndex) {
          events += close()
          openCallIndex = callIndex
          open = 'call'
          index += 1
          const toolCallStart = { id, type: 'function', function: { name, arguments: '' } }
          events += format({ type: 'tool-call-start', index, delta: { message: { tool_calls: toolCallStart } } })
        }
        if (args !== '') {
          events += format({
            type: 'tool-call-delta',
            index,
            delta: { message: { tool_calls: { function: { arguments: args } } } },
          })
        }
      }
      return events
    },
    end(error) {
      const reason = error ? 'ERROR' : (FINISH_REASONS[finish ?? 'stop'] ?? 'COMPLETE')
      const delta = defined({ finish_reason: reason, usage: usageOf(usage), error: error && textOf(error.message) })
      return close() + format({ type: 'message-end', delta })
    },
  }
}

/** Converts a request of Cohere's v2 embed: https://docs.cohere.com/reference/embed. Throws REQUEST_MALFORMED. */
export function cohereEmbed(body: Json): Facade {
  const texts = arrayOf(body.texts)
  if (arrayOf(body.images).length > 0 || arrayOf(body.inputs).length > 0) {
    refuse('only texts are served here: send texts', 'inputs')
  }
  if (texts.length === 0) refuse('texts must be an array of texts', 'texts')
  const types = arrayOf(body.embedding_types).length > 0 ? arrayOf(body.embedding_types).map(String) : ['float']
  const badType = types.find((type) => type !== 'float' && type !== 'base64')
  if (badType !== undefined) refuse(`embedding_types has "${badType}": use float or base64`, 'embedding_types')
  return {
    path: '/v1/embeddings',
    body: defined({ model: body.model, input: texts, dimensions: body.output_dimension, encoding_format: 'float' }),
    whole({ data, usage, id }) {
      const vectors = objectsOf(data).map(({ embedding }) => arrayOf(embedding).map(Number))
      const embeddings = {
        ...(types.includes('float') && { float: vectors }),
        ...(types.includes('base64') && { base64: vectors.map(vectorAsBase64) }),
      }
      const units = { input_tokens: numberOf(recordOf(usage).prompt_tokens) ?? 0 }
      return {
        id: textOf(id) ?? '',
        response_type: 'embeddings_by_type',
        embeddings,
        texts,
        meta: { api_version: { version: '2' }, billed_units: units },
      }
    },
  }
}
