import type { DialectName } from '../../core/channels/routing/operations.ts'
import type { Json } from '../../server/relay/json.ts'

export const PNG = 'iVBORw0KGgo='
const URL_OF_PNG = `data:image/png;base64,${PNG}`
const SCHEMA = { type: 'object', properties: { a: { type: ['string', 'null'], enum: ['x'] } }, required: ['a'] }

const SAMPLING = { temperature: 0.5, top_p: 0.5, stop: ['x'], stream: true, user: 'u', seed: 1, n: 1 }
const FUNCTION = { name: 'get', description: 'd', parameters: SCHEMA, strict: true }
const CALL = { id: 'c1', type: 'function', function: { name: 'get', arguments: '{"a":"x"}' } }
const CHAT: Json = {
  ...SAMPLING,
  model: 'm',
  max_tokens: 9,
  messages: [
    { role: 'system', content: 's', cache_control: { type: 'ephemeral' } },
    {
      role: 'user',
      name: 'ann',
      content: [
        { type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } },
        { type: 'image_url', image_url: { url: URL_OF_PNG, detail: 'low' } },
        { type: 'input_audio', input_audio: { data: PNG, format: 'wav' } },
        { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PNG}` } },
      ],
    },
    { role: 'assistant', content: 'x', reasoning_content: 'r', tool_calls: [CALL], function_call: { name: 'get' } },
    { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'r' }] },
    { role: 'user', content: 'now' },
  ],
  tools: [
    { type: 'function', function: FUNCTION },
    { type: 'custom', custom: { name: 'c', format: { type: 'text' } } },
  ],
  functions: [FUNCTION],
  tool_choice: { type: 'function', function: { name: 'get' } },
  response_format: { type: 'json_schema', json_schema: { name: 'n', schema: SCHEMA, strict: true } },
  reasoning_effort: 'low',
  thinking: { type: 'enabled', budget_tokens: 9 },
  stream_options: { include_usage: true },
  web_search_options: { search_context_size: 'low', user_location: { approximate: { city: 'x' } } },
  modalities: ['text'],
  logit_bias: { 1: 1 },
  extra_body: { google: { thinking_config: { thinking_budget: 9 }, cached_content: 'c' } },
}
/** A request with all fields, by dialect. */
export const BODIES: Record<DialectName, Json> = {
  'openai-chat': CHAT,
  'openai-completions': { ...SAMPLING, model: 'm', prompt: ['p'], suffix: 's', echo: true, logprobs: 1, max_tokens: 9 },
  'openai-responses': {
    ...SAMPLING,
    model: 'm',
    instructions: 'i',
    max_output_tokens: 9,
    input: [
      {
        role: 'user',
        type: 'message',
        content: [
          { type: 'input_text', text: 'hi' },
          { type: 'input_image', image_url: URL_OF_PNG, detail: 'low' },
          { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${PNG}` },
        ],
      },
      { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 't' }], encrypted_content: 'e' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'x', annotations: [] }] },
      { type: 'function_call', id: 'f', call_id: 'c1', name: 'get', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_text', text: 'o' }] },
      { type: 'custom_tool_call', call_id: 'c2', name: 'c', input: 'x' },
      { type: 'custom_tool_call_output', call_id: 'c2', output: 'o' },
    ],
    tools: [
      { type: 'function', ...FUNCTION },
      { type: 'web_search', user_location: { city: 'x' } },
      { type: 'custom', name: 'c' },
    ],
    tool_choice: { type: 'function', name: 'get' },
    reasoning: { effort: 'low', summary: 'auto' },
    text: { format: { type: 'json_schema', name: 'n', schema: SCHEMA }, verbosity: 'low' },
  },
  'anthropic-messages': {
    ...SAMPLING,
    model: 'm',
    max_tokens: 9,
    system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral' } }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'hi' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
          { type: 'document', title: 't', source: { type: 'text', media_type: 'text/plain', data: 'd' } },
          { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'd' }] } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 't', signature: 's' },
          { type: 'redacted_thinking', data: 'd' },
          { type: 'tool_use', id: 'c1', name: 'get', input: { a: 'x' } },
          { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'q' } },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'r' }], is_error: true }],
      },
    ],
    tools: [
      { name: 'get', description: 'd', input_schema: SCHEMA },
      { type: 'web_search_20250305', name: 'web_search', max_uses: 1 },
    ],
    tool_choice: { type: 'tool', name: 'get', disable_parallel_tool_use: true },
    thinking: { type: 'enabled', budget_tokens: 1024 },
    metadata: { user_id: 'u' },
    stop_sequences: ['x'],
  },
  gemini: {
    systemInstruction: { parts: [{ text: 's' }] },
    contents: [
      {
        role: 'user',
        parts: [
          { text: 'hi' },
          { inlineData: { mimeType: 'image/png', data: PNG } },
          { inline_data: { mime_type: 'audio/wav', data: PNG } },
          { fileData: { mimeType: 'image/png', fileUri: 'https://x.example/a.png' } },
        ],
      },
      {
        role: 'model',
        parts: [
          { text: 't', thought: true, thoughtSignature: 's' },
          { functionCall: { id: 'c1', name: 'get', args: { a: 'x' } } },
          { executableCode: { language: 'PYTHON', code: 'c' } },
          { codeExecutionResult: { outcome: 'OUTCOME_OK', output: 'o' } },
        ],
      },
      { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'get', response: { output: 'o' } } }] },
    ],
    tools: [{ functionDeclarations: [{ name: 'get', description: 'd', parameters: SCHEMA }] }, { googleSearch: {} }],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['get'] } },
    generationConfig: {
      ...{
        temperature: 0.5,
        maxOutputTokens: 9,
        candidateCount: 1,
        stopSequences: ['x'],
        responseModalities: ['TEXT'],
      },
      ...{ responseMimeType: 'application/json', responseSchema: SCHEMA, thinkingConfig: { thinkingBudget: 9 } },
    },
    safetySettings: [{ category: 'c', threshold: 't' }],
  },
}

const USAGE = {
  ...{ prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, prompt_tokens_details: { cached_tokens: 1 } },
  ...{ input_tokens: 3, output_tokens: 2, completion_tokens_details: { reasoning_tokens: 1 } },
}
const MESSAGE = {
  ...{ role: 'assistant', content: 'x', reasoning_content: 'r', refusal: 'no', tool_calls: [{ index: 0, ...CALL }] },
  ...{ annotations: [{ type: 'url_citation', url_citation: { url: 'u', title: 't', start_index: 0, end_index: 1 } }] },
  ...{ images: [{ image_url: { url: URL_OF_PNG } }], reasoning_details: [{ type: 'reasoning.text', text: 't' }] },
}
const OUTPUT = [
  { id: 'r', type: 'reasoning', summary: [{ type: 'summary_text', text: 't' }], encrypted_content: 'e' },
  {
    id: 'm',
    type: 'message',
    content: [{ type: 'output_text', text: 'x', annotations: [{ type: 'url_citation', url: 'u' }] }],
  },
  { id: 'f', type: 'function_call', call_id: 'c1', name: 'get', arguments: '{}' },
]
const CONTENT = [
  { type: 'thinking', thinking: 't', signature: 's' },
  { type: 'text', text: 'x', citations: [{ type: 'web_search_result_location', url: 'u', title: 't' }] },
  { type: 'tool_use', id: 'c1', name: 'get', input: { a: 'x' } },
]
const CANDIDATE = {
  content: {
    role: 'model',
    parts: [
      { text: 't', thought: true },
      { text: 'x' },
      { functionCall: { name: 'get', args: {} } },
      { inlineData: { mimeType: 'image/png', data: PNG } },
      { executableCode: { language: 'PYTHON', code: 'c' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK' } },
    ],
  },
  finishReason: 'STOP',
  groundingMetadata: {
    groundingChunks: [{ web: { uri: 'u', title: 't' } }],
    groundingSupports: [{ segment: { startIndex: 0, endIndex: 1 }, groundingChunkIndices: [0] }],
  },
  logprobsResult: { chosenCandidates: [{ token: 'x', logProbability: -1 }], topCandidates: [{ candidates: [] }] },
}
const RESPONSE = { id: 'r', object: 'response', status: 'completed', model: 'm', output: OUTPUT, usage: USAGE }
/** Complete replies and stream events of every supported format; a name is the event's. */
export const REPLIES: [name: string, reply: Json][] = [
  [
    '',
    {
      id: 'i',
      model: 'm',
      choices: [{ index: 0, message: MESSAGE, finish_reason: 'stop', logprobs: { content: [] } }],
      usage: USAGE,
    },
  ],
  ['', { id: 'i', model: 'm', choices: [{ index: 0, delta: MESSAGE, finish_reason: null }], usage: USAGE }],
  [
    '',
    {
      id: 'i',
      choices: [{ index: 0, text: 'x', finish_reason: 'length' }],
      base_resp: { status_code: 0, status_msg: '' },
    },
  ],
  [
    '',
    { code: 0, message: 'Success', sid: 's', choices: [{ delta: { content: 'x' } }], header: { code: 0, status: 2 } },
  ],
  ['', { error: { message: 'm', type: 't', code: 'c', status: 400, param: 'p' } }],
  ['', RESPONSE],
  ['response.created', { type: 'response.created', response: RESPONSE }],
  ...OUTPUT.flatMap((item): [string, Json][] => [
    ['response.output_item.added', { type: 'response.output_item.added', output_index: 0, item }],
    ['response.output_item.done', { type: 'response.output_item.done', output_index: 0, item }],
  ]),
  ['response.output_text.delta', { type: 'response.output_text.delta', item_id: 'm', output_index: 0, delta: 'x' }],
  [
    'response.function_call_arguments.delta',
    { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{}' },
  ],
  ['response.completed', { type: 'response.completed', response: RESPONSE }],
  ['response.failed', { type: 'response.failed', response: { ...RESPONSE, error: { code: 'c', message: 'm' } } }],
  [
    '',
    {
      id: 'i',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: CONTENT,
      stop_reason: 'end_turn',
      usage: USAGE,
    },
  ],
  ['message_start', { type: 'message_start', message: { id: 'i', model: 'm', usage: USAGE } }],
  ...CONTENT.map((block): [string, Json] => [
    'content_block_start',
    { type: 'content_block_start', index: 0, content_block: block },
  ]),
  [
    'content_block_delta',
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{}' } },
  ],
  ['content_block_delta', { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x' } }],
  ['message_delta', { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: 'x' }, usage: USAGE }],
  ['error', { type: 'error', error: { type: 'overloaded_error', message: 'm' } }],
  [
    '',
    {
      responseId: 'i',
      modelVersion: 'm',
      candidates: [CANDIDATE],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2 },
    },
  ],
  ['', { promptFeedback: { blockReason: 'SAFETY' } }],
  [
    '',
    {
      model: 'm',
      message: {
        role: 'assistant',
        content: 'x',
        thinking: 't',
        tool_calls: [{ function: { name: 'get', arguments: {} } }],
      },
      done: true,
      done_reason: 'stop',
      eval_count: 2,
    },
  ],
  ['messageStart', { role: 'assistant' }],
  ['contentBlockStart', { contentBlockIndex: 0, start: { toolUse: { toolUseId: 'c1', name: 'get' } } }],
  [
    'contentBlockDelta',
    { contentBlockIndex: 0, delta: { text: 'x', toolUse: { input: '{}' }, reasoningContent: { text: 't' } } },
  ],
  ['messageStop', { stopReason: 'end_turn' }],
  ['metadata', { usage: { inputTokens: 3, outputTokens: 2 } }],
  [
    '',
    {
      output: { message: { content: [{ text: 'x' }, { toolUse: { toolUseId: 'c', name: 'get', input: {} } }] } },
      stopReason: 'end_turn',
    },
  ],
  [
    '',
    {
      id: 'i',
      message: { content: [{ type: 'text', text: 'x' }], tool_calls: [CALL], tool_plan: 'p' },
      finish_reason: 'COMPLETE',
      usage: { tokens: { input_tokens: 3, output_tokens: 2 } },
    },
  ],
  ['', { type: 'content-delta', index: 0, delta: { message: { content: { text: 'x' }, tool_calls: CALL } } }],
  ['', { type: 'tool-call-start', index: 0, delta: { message: { tool_calls: CALL } } }],
  ['', { type: 'message-end', delta: { finish_reason: 'COMPLETE', usage: { tokens: { input_tokens: 3 } } } }],
  [
    '',
    {
      event: 'message',
      id: 'i',
      message_id: 'i',
      answer: 'x',
      metadata: { usage: USAGE, retriever_resources: [{ content: 'c' }] },
    },
  ],
  ['', { event: 'message_file', id: 'f', type: 'image', url: 'https://x.example/a', belongs_to: 'assistant' }],
  ['', { event: 'node_finished', data: { id: 'i', outputs: { text: 'x' }, status: 'failed', error: 'e' } }],
  ['', { event: 'workflow_finished', data: { outputs: { text: 'x' }, total_tokens: 5, status: 'succeeded' } }],
  ['', { event: 'error', status: 400, code: 'c', message: 'm' }],
  ['conversation.message.delta', { id: 'i', role: 'assistant', type: 'answer', content: 'x', content_type: 'text' }],
  [
    'conversation.chat.completed',
    { id: 'i', usage: { token_count: 5, output_count: 2, input_count: 3 }, last_error: { code: 0, msg: '' } },
  ],
  ['', { code: 0, msg: '', data: [{ id: 'i', role: 'assistant', type: 'answer', content: 'x' }] }],
  [
    '',
    {
      id: 'i',
      result: 'x',
      is_end: true,
      finish_reason: 'normal',
      function_call: { name: 'get', arguments: '{}' },
      search_info: { search_results: [{ url: 'u' }] },
      usage: USAGE,
      error_code: 0,
      error_msg: 'e',
    },
  ],
  [
    '',
    {
      Response: {
        Choices: [
          {
            Message: { Role: 'assistant', Content: 'x', ToolCalls: [] },
            Delta: { Content: 'x' },
            FinishReason: 'stop',
          },
        ],
        Usage: { PromptTokens: 3 },
        Error: { Code: 'c', Message: 'm' },
        ErrorMsg: { Code: 1, Msg: 'm' },
      },
    },
  ],
  [
    '',
    {
      Choices: [{ Delta: { Content: 'x' }, FinishReason: 'stop' }],
      Usage: { PromptTokens: 3 },
      ErrorMsg: { Code: 1, Msg: 'm' },
    },
  ],
  [
    '',
    {
      header: { code: 0, message: 'm', sid: 's', status: 2 },
      payload: {
        choices: { status: 2, text: [{ content: 'x', index: 0, function_call: { name: 'get', arguments: '{}' } }] },
        usage: { text: USAGE },
      },
    },
  ],
  [
    '',
    {
      code: 200,
      success: true,
      msg: 'm',
      data: { choices: [{ content: '"x"', role: 'assistant' }], usage: USAGE, request_id: 'r' },
    },
  ],
  ['finish', { meta: '{"usage":{"total_tokens":5}}', usage: USAGE }],
  ['', { request_id: 'r', output: { text: 'x', choices: [{ message: { content: 'x' } }] }, code: 'c', message: 'm' }],
]
