import type { NewChannel } from '../../core/channels/channel.ts'
import { sse } from './wire.ts'

export type WireName = 'chat' | 'completions' | 'responses' | 'messages' | 'gemini'

/** A reply with one text, in an upstream's format. */
export interface Wire {
  /** Channel fields for this format. */
  readonly channel: Partial<Pick<NewChannel, 'type'>> & { setting?: string }
  whole(text: string, end?: WireEnd): object
  /** Returns the start of a stream, with text. */
  begin(text: string): string
  /** Returns more text. */
  more(text: string): string
  /** Returns the end of a stream. */
  end(end?: WireEnd): string
  /** Returns a stream event with an error. */
  error(message: string): string
  /** An event of an unknown kind. */
  readonly unknown: string
}

export interface WireEnd {
  /** In this format; false: no usage is reported. */
  usage?: object | false
  /** Whether the model's output was truncated. */
  cut?: boolean
}

/** 100 prompt tokens, of which 40 are cached, and 20 completion tokens, of which 5 are reasoning. Two formats write 30 to a cache. */
export const REPORTED: Record<WireName, object> = {
  chat: {
    prompt_tokens: 100,
    completion_tokens: 20,
    total_tokens: 120,
    prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 30 },
    completion_tokens_details: { reasoning_tokens: 5 },
  },
  completions: {
    prompt_tokens: 100,
    completion_tokens: 20,
    total_tokens: 120,
    prompt_tokens_details: { cached_tokens: 40 },
  },
  responses: {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 40 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 5 },
    total_tokens: 120,
  },
  messages: {
    input_tokens: 30,
    cache_read_input_tokens: 40,
    cache_creation_input_tokens: 30,
    cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 10 },
    output_tokens: 20,
  },
  gemini: {
    promptTokenCount: 100,
    cachedContentTokenCount: 40,
    candidatesTokenCount: 15,
    thoughtsTokenCount: 5,
    totalTokenCount: 120,
  },
}

const DONE = 'data: [DONE]\n\n'
const speaking = (dialect: string) => ({ setting: JSON.stringify({ dialects: [dialect] }) })
const usageOf = (name: WireName, end: WireEnd | undefined) =>
  end?.usage === false ? undefined : (end?.usage ?? REPORTED[name])
const error = (message: string) => sse({ error: { message, type: 'server_error' } })

const chatHead = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'upstream-model' }
const chatChunk = (delta: object, finish_reason: string | null = null) => ({
  ...chatHead,
  choices: [{ index: 0, delta, finish_reason }],
})
const legacyHead = { id: 'cmpl-1', object: 'text_completion', created: 1_700_000_000, model: 'upstream-model' }
const legacyChunk = (text: string, finish_reason: string | null = null) => ({
  ...legacyHead,
  choices: [{ index: 0, text, logprobs: null, finish_reason }],
})

const responseHead = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_700_000_000,
  model: 'upstream-model',
  error: null,
}
const item = (text: string, status = 'completed') => ({
  id: 'msg_1',
  type: 'message',
  status,
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
})
const place = { item_id: 'msg_1', output_index: 0, content_index: 0 }
const step = (type: string, fields: object) => sse([type, { type, ...fields }])
function response(text: string, end: WireEnd = {}): object {
  return {
    ...responseHead,
    status: end.cut ? 'incomplete' : 'completed',
    incomplete_details: end.cut ? { reason: 'max_output_tokens' } : null,
    output: [item(text)],
    usage: usageOf('responses', end) ?? null,
  }
}

const message = (fields: object) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'upstream-model',
  stop_sequence: null,
  ...fields,
})
const candidate = (text: string, finishReason?: string) => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, ...(finishReason && { finishReason }), index: 0 }],
  modelVersion: 'upstream-model',
  responseId: 'r1',
})

export const WIRES: Record<WireName, Wire> = {
  chat: {
    channel: speaking('openai-chat'),
    whole: (content, end) => ({
      ...chatHead,
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: end?.cut ? 'length' : 'stop' }],
      usage: usageOf('chat', end),
    }),
    begin: (content) => sse(chatChunk({ role: 'assistant', content: '' }), chatChunk({ content })),
    more: (content) => sse(chatChunk({ content })),
    end(end) {
      const usage = usageOf('chat', end)
      return (
        sse(chatChunk({}, end?.cut ? 'length' : 'stop'), ...(usage ? [{ ...chatHead, choices: [], usage }] : [])) + DONE
      )
    },
    error,
    unknown: sse({ type: 'keep-alive' }),
  },
  completions: {
    channel: speaking('openai-completions'),
    whole: (text, end) => ({
      ...legacyHead,
      choices: [{ index: 0, text, logprobs: null, finish_reason: end?.cut ? 'length' : 'stop' }],
      usage: usageOf('completions', end),
    }),
    begin: (text) => sse(legacyChunk(text)),
    more: (text) => sse(legacyChunk(text)),
    end(end) {
      const usage = usageOf('completions', end)
      const last = legacyChunk('', end?.cut ? 'length' : 'stop')
      return sse(last, ...(usage ? [{ ...legacyHead, choices: [], usage }] : [])) + DONE
    },
    error,
    unknown: sse({ type: 'keep-alive' }),
  },
  responses: {
    channel: speaking('openai-responses'),
    whole: response,
    begin(text) {
      const begun = { ...responseHead, status: 'in_progress', output: [], usage: null }
      return (
        step('response.created', { response: begun }) +
        step('response.output_item.added', { output_index: 0, item: { ...item('', 'in_progress'), content: [] } }) +
        step('response.content_part.added', { ...place, part: { type: 'output_text', text: '', annotations: [] } }) +
        step('response.output_text.delta', { ...place, delta: text })
      )
    },
    more: (text) => step('response.output_text.delta', { ...place, delta: text }),
    end(end) {
      const last = end?.cut ? 'response.incomplete' : 'response.completed'
      const output = [{ id: 'other', type: 'mcp_list_tools', status: 'completed' }]
      return (
        step('response.output_item.done', { output_index: 0, item: item('') }) +
        step(last, { response: { ...response('', end), output } })
      )
    },
    error: (text) => step('error', { code: 'server_error', message: text, param: null }),
    unknown: step('response.surprise', { output_index: 0, delta: 'x' }),
  },
  messages: {
    channel: { type: 14 },
    whole: (text, end) =>
      message({
        content: [{ type: 'text', text }],
        stop_reason: end?.cut ? 'max_tokens' : 'end_turn',
        usage: usageOf('messages', end) ?? { input_tokens: 0, output_tokens: 0 },
      }),
    begin: (text) =>
      step('message_start', {
        message: message({ content: [], stop_reason: null, usage: { input_tokens: 0, output_tokens: 0 } }),
      }) +
      step('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
      step('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
    more: (text) => step('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
    end: (end) =>
      step('content_block_stop', { index: 0 }) +
      step('message_delta', {
        delta: { stop_reason: end?.cut ? 'max_tokens' : 'end_turn', stop_sequence: null },
        usage: usageOf('messages', end) ?? { output_tokens: 0 },
      }) +
      step('message_stop', {}),
    error: (text) => step('error', { error: { type: 'api_error', message: text } }),
    unknown: step('surprise', { index: 0 }),
  },
  gemini: {
    channel: { type: 24 },
    whole: (text, end) => ({
      ...candidate(text, end?.cut ? 'MAX_TOKENS' : 'STOP'),
      usageMetadata: usageOf('gemini', end),
    }),
    begin: (text) => sse(candidate(text)),
    more: (text) => sse(candidate(text)),
    end: (end) => sse({ ...candidate('', end?.cut ? 'MAX_TOKENS' : 'STOP'), usageMetadata: usageOf('gemini', end) }),
    error: (text) => sse({ error: { code: 500, message: text, status: 'INTERNAL' } }),
    unknown: sse({ surprise: { text: 'x' } }),
  },
}

/** Returns the format of a gateway request, by its path. */
export function wireOf(path: string): Wire {
  if (path.startsWith('/v1/chat/')) return WIRES.chat
  if (path.startsWith('/v1/completions')) return WIRES.completions
  if (path.startsWith('/v1/responses')) return WIRES.responses
  return path.startsWith('/v1/messages') ? WIRES.messages : WIRES.gemini
}
