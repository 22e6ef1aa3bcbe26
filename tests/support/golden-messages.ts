const COUNTS = { input_tokens: 12, cache_creation_input_tokens: 0, cache_read_input_tokens: 8, server_tool_use: null }
/** What a message of any other upstream leaves unknown. */
const UNKNOWN = { cache_creation: null, inference_geo: null, service_tier: null, speed: null }

/** A reply with reasoning, text, two calls and a cached prompt, as a stream of Messages events. */
export const GOLDEN_MESSAGES = [
  {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      container: null,
      diagnostics: null,
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      usage: { ...COUNTS, ...UNKNOWN, output_tokens: 0, output_tokens_details: { thinking_tokens: 0 } },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Need the weather.' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2ln' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Checking.' } },
  { type: 'content_block_stop', index: 1 },
  {
    type: 'content_block_start',
    index: 2,
    content_block: { type: 'tool_use', id: 'call_a', name: 'get_weather', input: {}, caller: { type: 'direct' } },
  },
  { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"city":"Oslo"}' } },
  { type: 'content_block_stop', index: 2 },
  {
    type: 'content_block_start',
    index: 3,
    content_block: { type: 'tool_use', id: 'call_b', name: 'get_time', input: {}, caller: { type: 'direct' } },
  },
  { type: 'content_block_delta', index: 3, delta: { type: 'input_json_delta', partial_json: '{}' } },
  { type: 'content_block_stop', index: 3 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'tool_use', stop_sequence: null, stop_details: null, container: null },
    usage: { ...COUNTS, output_tokens: 12, output_tokens_details: { thinking_tokens: 0 } },
  },
  { type: 'message_stop' },
]

const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'm',
  choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  usage: null,
})
const call = (index: number, fields: object) => chunk({ tool_calls: [{ index, ...fields }] })

/** The same reply as chat completion chunks, which have no signature. */
export const GOLDEN_CHAT = [
  chunk({ role: 'assistant', content: '', refusal: null }),
  chunk({ reasoning_content: 'Need the weather.' }),
  chunk({ content: 'Checking.' }),
  call(0, { id: 'call_a', type: 'function', function: { name: 'get_weather', arguments: '' } }),
  call(0, { function: { arguments: '{"city":"Oslo"}' } }),
  call(1, { id: 'call_b', type: 'function', function: { name: 'get_time', arguments: '{}' } }),
  chunk({}, 'tool_calls'),
  {
    ...chunk({}),
    choices: [],
    usage: {
      prompt_tokens: 20,
      completion_tokens: 12,
      total_tokens: 32,
      prompt_tokens_details: { cached_tokens: 8 },
      completion_tokens_details: { reasoning_tokens: 4 },
    },
  },
]
