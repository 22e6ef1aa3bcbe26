import { type Exchange, sendJson, startStream } from '../support/hand-made-upstream.ts'

/*
 * Strict upstreams. They reject fields that their format does not have, results without calls and calls without results, and thoughts
 * that do not come back as they were signed. Each calls the tool once, and then says what the tool has said.
 */

export const USAGE = { prompt: 20, completion: 12 }
const CALL_ID = 'call_0123456789abcdefghijkl'
const TOOLU_ID = 'toolu_0123456789abcdefghijkl'
const SIGNATURE = 'c2lnbmF0dXJl'
const ARGUMENTS = { city: 'Paris' }
const TEXT = 'Paris: sunny'

type Json = Record<string, unknown>
const objects = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one) : []
const words = (list: string) => new Set(list.split(/\s+/))

/** `top_k` is not OpenAI's, but all others that speak its format with models of their own have it. */
const FIELDS = {
  chat: words(`model messages stream stream_options tools tool_choice parallel_tool_calls max_tokens max_completion_tokens temperature
    top_p n stop seed presence_penalty frequency_penalty logprobs top_logprobs response_format reasoning_effort user metadata store
    service_tier prompt_cache_key safety_identifier verbosity modalities audio prediction logit_bias functions function_call top_k`),
  responses:
    words(`model input instructions stream stream_options tools tool_choice parallel_tool_calls max_output_tokens temperature top_p
    top_logprobs reasoning text user metadata store include service_tier truncation prompt_cache_key safety_identifier
    previous_response_id background max_tool_calls client_metadata`),
  anthropic:
    words(`model messages system max_tokens stream tools tool_choice temperature top_p top_k stop_sequences thinking metadata
    service_tier output_config thread cache_control`),
  gemini: words('contents systemInstruction tools toolConfig generationConfig safetySettings cachedContent'),
}
export type Wire = keyof typeof FIELDS

/** What a request amounts to: whether the tool may be called, and whether it was. */
interface Turn {
  hasTools: boolean
  isAnswered: boolean
  wantsObject: boolean
}

class Rejection extends Error {}
function demand(holds: boolean, message: string): void {
  if (!holds) throw new Rejection(message)
}

/** Replies as an upstream of this format. */
export function strictUpstream(wire: Wire): (exchange: Exchange) => void {
  const threads: Threads = new Map()
  return (exchange) => {
    try {
      const unknown = Object.keys(exchange.body).find((name) => !FIELDS[wire].has(name))
      demand(unknown === undefined, `unknown field ${unknown}`)
      UPSTREAMS[wire](exchange, threads)
    } catch (error) {
      if (!(error instanceof Rejection)) throw error
      sendJson(
        exchange,
        {
          type: 'error',
          error: { type: 'invalid_request_error', message: `strict upstream: ${error.message}`, code: 400 },
        },
        400,
      )
    }
  }
}

function pair(calls: readonly string[], results: readonly string[]): void {
  demand(
    calls.every((id) => results.includes(id)),
    'a call has no result',
  )
  demand(
    results.every((id) => calls.includes(id)),
    'a result has no call',
  )
}

const nameOf = (tool: unknown) => String((tool as Json | undefined)?.name ?? 'weather')
/** A format of its own, or an instruction to write JSON. */
const isObjectWanted = (body: Json, format: unknown) =>
  /json/.test(String(format)) || /one JSON object and nothing else/.test(JSON.stringify(body.system ?? ''))
const textFor = ({ wantsObject }: Turn) => (wantsObject ? JSON.stringify(ARGUMENTS) : TEXT)
const callsTool = ({ hasTools, isAnswered }: Turn) => hasTools && !isAnswered
const sse = (exchange: Exchange, events: readonly Json[], { named = false, end = '' } = {}) => {
  startStream(exchange)
  const text = events
    .map((event) => `${named ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`)
    .join('')
  exchange.response.end(text + end)
}

/** Messages that an upstream keeps, by the id of the last. */
type Threads = Map<string, { messages: Json[]; tools: Json[] }>

function chat(exchange: Exchange): void {
  const { body } = exchange
  const messages = objects(body.messages)
  const calls = messages.flatMap(({ tool_calls }) => objects(tool_calls).map(({ id }) => String(id)))
  const results = messages.flatMap(({ role, tool_call_id }) => (role === 'tool' ? [String(tool_call_id)] : []))
  pair(calls, results)
  const turn: Turn = {
    hasTools: objects(body.tools).length > 0,
    isAnswered: results.length > 0,
    wantsObject: isObjectWanted(body, (body.response_format as Json | undefined)?.type),
  }
  const toolName = nameOf(objects(body.tools)[0]?.function)
  const usage = {
    prompt_tokens: USAGE.prompt,
    completion_tokens: USAGE.completion,
    total_tokens: USAGE.prompt + USAGE.completion,
  }
  const head = { id: 'chatcmpl-1', created: 1_700_000_000, model: body.model }
  const call = { id: CALL_ID, type: 'function', function: { name: toolName, arguments: JSON.stringify(ARGUMENTS) } }
  const finish_reason = callsTool(turn) ? 'tool_calls' : 'stop'
  if (body.stream !== true) {
    const message = callsTool(turn)
      ? { role: 'assistant', content: null, tool_calls: [call] }
      : { role: 'assistant', content: textFor(turn) }
    sendJson(exchange, {
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason }],
      usage,
    })
    return
  }
  const deltas = callsTool(turn)
    ? [{ role: 'assistant', tool_calls: [{ index: 0, ...call }] }]
    : [{ role: 'assistant', content: textFor(turn).slice(0, 4) }, { content: textFor(turn).slice(4) }]
  const chunks = [...deltas.map((delta) => ({ delta, finish_reason: null })), { delta: {}, finish_reason }]
  const object = 'chat.completion.chunk'
  const events: Json[] = chunks.map((choice) => ({ ...head, object, choices: [{ index: 0, ...choice }] }))
  sse(exchange, [...events, { ...head, object, choices: [], usage }], { end: 'data: [DONE]\n\n' })
}

function responses(exchange: Exchange): void {
  const { body } = exchange
  const items = objects(body.input)
  const calls = items.flatMap(({ type, call_id }) => (type === 'function_call' ? [String(call_id)] : []))
  const results = items.flatMap(({ type, call_id }) => (type === 'function_call_output' ? [String(call_id)] : []))
  demand(!items.some(({ type }) => type === 'item_reference'), 'nothing is stored here')
  demand(body.previous_response_id === undefined, 'nothing is stored here')
  pair(calls, results)
  const thoughts = items.filter(({ type }) => type === 'reasoning')
  demand(
    thoughts.every(({ encrypted_content: proof }) => proof === SIGNATURE),
    'a thought is not ours',
  )
  const wantsThoughts = Array.isArray(body.include) && body.include.includes('reasoning.encrypted_content')
  demand(calls.length === 0 || !wantsThoughts || thoughts.length > 0, 'a call came back without its thought')
  const format = ((body.text as Json | undefined)?.format as Json | undefined)?.type
  const turn: Turn = {
    hasTools: objects(body.tools).length > 0,
    isAnswered: results.length > 0,
    wantsObject: isObjectWanted(body, format),
  }
  const toolName = nameOf(objects(body.tools)[0])
  const thought = { id: 'rs_1', type: 'reasoning', summary: [], ...(wantsThoughts && { encrypted_content: SIGNATURE }) }
  const said = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: textFor(turn), annotations: [], logprobs: [] }],
  }
  const call = {
    id: 'fc_1',
    type: 'function_call',
    status: 'completed',
    call_id: CALL_ID,
    name: toolName,
    arguments: JSON.stringify(ARGUMENTS),
  }
  const output: Json[] = callsTool(turn) ? [thought, call] : [said]
  const response = {
    id: `resp_${Math.random().toString(36).slice(2)}`,
    object: 'response',
    created_at: 1_700_000_000,
    status: 'completed',
    model: body.model,
    // It keeps nothing, like most that speak this format.
    store: false,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: body.tools ?? [],
    top_p: 1,
    output,
    usage: {
      input_tokens: USAGE.prompt,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: USAGE.completion,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: USAGE.prompt + USAGE.completion,
    },
  }
  if (body.stream !== true) {
    sendJson(exchange, response)
    return
  }
  const events: Json[] = [{ type: 'response.created', response: { ...response, status: 'in_progress', output: [] } }]
  for (const [output_index, item] of output.entries()) {
    const place = { output_index, item_id: item.id }
    events.push({
      type: 'response.output_item.added',
      output_index,
      item:
        item === said
          ? { ...said, status: 'in_progress', content: [] }
          : item === call
            ? { ...call, status: 'in_progress', arguments: '' }
            : item,
    })
    if (item === said) {
      const part = { ...place, content_index: 0 }
      events.push({
        type: 'response.content_part.added',
        ...part,
        part: { type: 'output_text', text: '', annotations: [] },
      })
      events.push({ type: 'response.output_text.delta', ...part, delta: textFor(turn), logprobs: [] })
      events.push({ type: 'response.output_text.done', ...part, text: textFor(turn), logprobs: [] })
      events.push({ type: 'response.content_part.done', ...part, part: said.content[0] })
    }
    if (item === call) {
      events.push({ type: 'response.function_call_arguments.delta', ...place, delta: call.arguments })
      events.push({
        type: 'response.function_call_arguments.done',
        ...place,
        name: toolName,
        arguments: call.arguments,
      })
    }
    events.push({ type: 'response.output_item.done', output_index, item })
  }
  events.push({ type: 'response.completed', response })
  sse(
    exchange,
    events.map((event, sequence_number) => ({ ...event, sequence_number })),
    { named: true },
  )
}

function anthropic(exchange: Exchange, threads: Threads): void {
  const { body } = exchange
  const thread = body.thread as { type: string; previous_message_id?: string } | undefined
  const kept = thread?.type === 'continue' ? threads.get(String(thread.previous_message_id)) : undefined
  demand(thread?.type !== 'continue' || kept !== undefined, 'the thread is not ours')
  const messages = [...(kept?.messages ?? []), ...objects(body.messages)]
  const tools = kept?.tools ?? objects(body.tools)
  const blocks = messages.map(({ content }) => objects(content))
  const wantsThoughts = body.thinking !== undefined && (body.thinking as Json).type !== 'disabled'
  for (const [at, own] of blocks.entries()) {
    const calls = own.flatMap(({ type, id }) => (type === 'tool_use' ? [String(id)] : []))
    const results = (blocks[at + 1] ?? []).flatMap(({ type, tool_use_id }) =>
      type === 'tool_result' ? [String(tool_use_id)] : [],
    )
    if (messages[at]?.role === 'assistant') pair(calls, results)
    demand(calls.length === 0 || !wantsThoughts || own[0]?.type === 'thinking', 'a call came back without its thought')
    demand(
      own.every(({ type, signature }) => type !== 'thinking' || signature === SIGNATURE),
      'a thought is not ours',
    )
  }
  const wantsObject = isObjectWanted(body, ((body.output_config as Json | undefined)?.format as Json | undefined)?.type)
  const isAnswered = blocks.flat().some(({ type }) => type === 'tool_result')
  const [tool] = tools
  const turn: Turn = { hasTools: tool !== undefined, isAnswered, wantsObject }
  const input = ARGUMENTS
  const thought = wantsThoughts ? [{ type: 'thinking', thinking: 'Look first.', signature: SIGNATURE }] : []
  const content: Json[] = callsTool(turn)
    ? [...thought, { type: 'tool_use', id: TOOLU_ID, name: tool?.name, input }]
    : [{ type: 'text', text: textFor(turn) }]
  const stop_reason = callsTool(turn) ? 'tool_use' : 'end_turn'
  const usage = { input_tokens: USAGE.prompt, output_tokens: USAGE.completion }
  const message = {
    id: `msg_${Math.random().toString(36).slice(2)}`,
    type: 'message',
    role: 'assistant',
    model: body.model,
    content,
    stop_reason,
    stop_sequence: null,
    usage,
  }
  if (thread) threads.set(message.id, { messages: [...messages, { role: 'assistant', content }], tools })
  if (body.stream !== true) {
    sendJson(exchange, message)
    return
  }
  const events: Json[] = [
    {
      type: 'message_start',
      message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
    },
  ]
  for (const [index, block] of content.entries()) {
    const opening =
      block.type === 'text'
        ? { type: 'text', text: '' }
        : block.type === 'thinking'
          ? { type: 'thinking', thinking: '', signature: '' }
          : { ...block, input: {} }
    events.push({ type: 'content_block_start', index, content_block: opening })
    const deltas: Json[] =
      block.type === 'text'
        ? [{ type: 'text_delta', text: block.text }]
        : block.type === 'thinking'
          ? [
              { type: 'thinking_delta', thinking: block.thinking },
              { type: 'signature_delta', signature: block.signature },
            ]
          : [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }]
    for (const delta of deltas) events.push({ type: 'content_block_delta', index, delta })
    events.push({ type: 'content_block_stop', index })
  }
  events.push({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage }, { type: 'message_stop' })
  sse(exchange, events, { named: true })
}

function gemini(exchange: Exchange): void {
  const { body, path } = exchange
  const parts = objects(body.contents).map((content) => objects(content.parts))
  for (const [at, own] of parts.entries()) {
    const calls = own.filter(({ functionCall }) => functionCall)
    const results = (parts[at + 1] ?? []).filter(({ functionResponse }) => functionResponse)
    demand(calls.length === 0 || calls.length === results.length, 'calls and results differ in number')
    demand(calls.length === 0 || calls[0]?.thoughtSignature === SIGNATURE, 'a call came back without its signature')
  }
  const wantsObject = isObjectWanted(body, (body.generationConfig as Json | undefined)?.responseMimeType)
  const isAnswered = parts.flat().some(({ functionResponse }) => functionResponse)
  const [declared] = objects(body.tools).flatMap(({ functionDeclarations }) => objects(functionDeclarations))
  const turn: Turn = { hasTools: declared !== undefined, isAnswered, wantsObject }
  const said = callsTool(turn)
    ? { functionCall: { name: declared?.name, args: ARGUMENTS }, thoughtSignature: SIGNATURE }
    : { text: textFor(turn) }
  const reply = {
    responseId: 'r1',
    modelVersion: 'test',
    candidates: [{ index: 0, content: { role: 'model', parts: [said] }, finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount: USAGE.prompt,
      candidatesTokenCount: USAGE.completion,
      totalTokenCount: USAGE.prompt + USAGE.completion,
    },
  }
  if (path.includes('streamGenerateContent')) sse(exchange, [reply])
  else sendJson(exchange, reply)
}

const UPSTREAMS: Record<Wire, (exchange: Exchange, threads: Threads) => void> = { chat, responses, anthropic, gemini }
