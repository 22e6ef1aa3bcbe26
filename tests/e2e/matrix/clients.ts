import Anthropic from '@anthropic-ai/sdk'
import { FunctionCallingConfigMode, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { type Case, EARLIER, type Parsed, PIXEL, promptOf, SCHEMA, SYSTEM, TOOL } from './meant.ts'

/** Asks through one official library, and tells what it has understood. Rejects when the library throws. */
export type Client = (asked: Case & { model: string; url: string; key: string }) => Promise<Parsed>

const wantsTools = ({ feature }: Case) => feature === 'tools' || feature === 'parallel tools'

const hasSystem = ({ feature }: Case) => feature === 'plain' || feature === 'stream'
const hasEarlierCalls = ({ feature }: Case) => feature === 'parallel tools'

const earlierChat = [
  { role: 'user' as const, content: EARLIER.question },
  {
    role: 'assistant' as const,
    content: null,
    tool_calls: EARLIER.calls.map(({ id, args }) => ({
      id,
      type: 'function' as const,
      function: { name: TOOL.name, arguments: JSON.stringify(args) },
    })),
  },
  ...EARLIER.calls.map(({ id, result }) => ({ role: 'tool' as const, tool_call_id: id, content: result })),
]

const openaiChat: Client = async ({ model, url, key, ...asked }) => {
  const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 })
  const image = { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${PIXEL}` } }
  const text = { type: 'text' as const, text: promptOf(asked.feature) }
  const body = {
    model,
    max_tokens: 4000,
    messages: [
      ...(hasSystem(asked) ? [{ role: 'system' as const, content: SYSTEM }] : []),
      ...(hasEarlierCalls(asked) ? earlierChat : []),
      { role: 'user' as const, content: asked.feature === 'image in' ? [text, image] : text.text },
    ],
    ...(wantsTools(asked) && {
      tools: [
        {
          type: 'function' as const,
          function: { name: TOOL.name, description: TOOL.description, parameters: TOOL.schema as never },
        },
      ],
    }),
    ...(asked.feature === 'structured output' && {
      response_format: { type: 'json_schema' as const, json_schema: { ...SCHEMA, schema: SCHEMA.schema as never } },
    }),
    ...(asked.feature === 'reasoning' && { reasoning_effort: 'low' as const }),
  }
  // Vendors have two names for it.
  const thoughtIn = (said: object | undefined) => {
    const { reasoning_content, reasoning } = (said ?? {}) as { reasoning_content?: string; reasoning?: string }
    return reasoning_content ?? reasoning ?? ''
  }
  let thought = ''
  const completion = asked.stream
    ? await client.chat.completions
        .stream({ ...body, stream_options: { include_usage: true } })
        // The library keeps but the last piece of a field it does not know.
        .on('chunk', ({ choices }) => {
          thought += thoughtIn(choices[0]?.delta)
        })
        .finalChatCompletion()
    : await client.chat.completions.create(body)
  const [choice] = completion.choices
  const message = choice?.message
  thought ||= thoughtIn(message)
  return {
    ...(message?.content && { text: message.content }),
    ...(thought && { reasoning: thought }),
    ...(message?.tool_calls?.length && {
      calls: message.tool_calls.map((call) => {
        if (call.type !== 'function') throw new Error(`A call of type ${call.type}`)
        return { name: call.function.name, args: JSON.parse(call.function.arguments) }
      }),
    }),
    stop: choice?.finish_reason === 'tool_calls' ? 'tools' : 'stop',
    promptTokens: completion.usage?.prompt_tokens,
    completionTokens: completion.usage?.completion_tokens,
  }
}

const openaiCompletions: Client = async ({ model, url, key, feature, stream }) => {
  const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 })
  const body = { model, prompt: promptOf(feature), max_tokens: 4000 }
  if (!stream) {
    const { choices, usage } = await client.completions.create(body)
    return {
      text: choices[0]?.text ?? '',
      stop: choices[0]?.finish_reason === 'stop' ? 'stop' : 'tools',
      promptTokens: usage?.prompt_tokens,
      completionTokens: usage?.completion_tokens,
    }
  }
  const parsed: Parsed = { text: '' }
  for await (const chunk of await client.completions.create({
    ...body,
    stream: true,
    stream_options: { include_usage: true },
  })) {
    parsed.text += chunk.choices[0]?.text ?? ''
    if (chunk.choices[0]?.finish_reason === 'stop') parsed.stop = 'stop'
    if (chunk.usage) {
      parsed.promptTokens = chunk.usage.prompt_tokens
      parsed.completionTokens = chunk.usage.completion_tokens
    }
  }
  return parsed
}

const earlierItems = [
  { role: 'user' as const, content: EARLIER.question },
  ...EARLIER.calls.map(({ id, args }) => ({
    type: 'function_call' as const,
    call_id: id,
    name: TOOL.name,
    arguments: JSON.stringify(args),
  })),
  ...EARLIER.calls.map(({ id, result }) => ({
    type: 'function_call_output' as const,
    call_id: id,
    output: result,
  })),
]

const openaiResponses: Client = async ({ model, url, key, ...asked }) => {
  const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 })
  const text = { type: 'input_text' as const, text: promptOf(asked.feature) }
  const image = { type: 'input_image' as const, image_url: `data:image/png;base64,${PIXEL}`, detail: 'auto' as const }
  const body = {
    model,
    max_output_tokens: 4000,
    ...(hasSystem(asked) && { instructions: SYSTEM }),
    input: [
      ...(hasEarlierCalls(asked) ? earlierItems : []),
      { role: 'user' as const, content: asked.feature === 'image in' ? [text, image] : [text] },
    ],
    ...(wantsTools(asked) && {
      tools: [
        {
          type: 'function' as const,
          name: TOOL.name,
          description: TOOL.description,
          parameters: TOOL.schema as never,
          strict: false,
        },
      ],
    }),
    ...(asked.feature === 'structured output' && {
      text: { format: { type: 'json_schema' as const, name: SCHEMA.name, schema: SCHEMA.schema as never } },
    }),
    ...(asked.feature === 'reasoning' && { reasoning: { effort: 'low' as const, summary: 'auto' as const } }),
  }
  const response = asked.stream
    ? await client.responses.stream(body).finalResponse()
    : await client.responses.create(body)
  if (response.status === 'failed') throw new Error(response.error?.message ?? 'failed')
  if (response.status === 'in_progress') throw new Error('The response was never finished')
  const reasoning = response.output.flatMap((item) =>
    item.type === 'reasoning' ? [...item.summary, ...(item.content ?? [])].map((part) => part.text) : [],
  )
  const calls = response.output.flatMap((item) =>
    item.type === 'function_call' ? [{ name: item.name, args: JSON.parse(item.arguments) }] : [],
  )
  return {
    ...(response.output_text && { text: response.output_text }),
    ...(reasoning.length && { reasoning: reasoning.join('') }),
    ...(calls.length && { calls }),
    stop: calls.length ? 'tools' : 'stop',
    promptTokens: response.usage?.input_tokens,
    completionTokens: response.usage?.output_tokens,
  }
}

const earlierMessages = [
  { role: 'user' as const, content: EARLIER.question },
  {
    role: 'assistant' as const,
    content: EARLIER.calls.map(({ id, args }) => ({ type: 'tool_use' as const, id, name: TOOL.name, input: args })),
  },
]
const earlierResults = EARLIER.calls.map(({ id, result }) => ({
  type: 'tool_result' as const,
  tool_use_id: id,
  content: result,
}))

const anthropicMessages: Client = async ({ model, url, key, ...asked }) => {
  const client = new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 })
  const text = { type: 'text' as const, text: promptOf(asked.feature) }
  const image = {
    type: 'image' as const,
    source: { type: 'base64' as const, media_type: 'image/png' as const, data: PIXEL },
  }
  const body = {
    model,
    max_tokens: 4000,
    ...(hasSystem(asked) && { system: SYSTEM }),
    messages: [
      ...(hasEarlierCalls(asked) ? earlierMessages : []),
      {
        role: 'user' as const,
        content: [
          ...(hasEarlierCalls(asked) ? earlierResults : []),
          text,
          ...(asked.feature === 'image in' ? [image] : []),
        ],
      },
    ],
    ...(wantsTools(asked) && {
      tools: [{ name: TOOL.name, description: TOOL.description, input_schema: TOOL.schema as never }],
    }),
    ...(asked.feature === 'structured output' && {
      output_config: { format: { type: 'json_schema' as const, schema: SCHEMA.schema as never } },
    }),
    ...(asked.feature === 'reasoning' && { thinking: { type: 'enabled' as const, budget_tokens: 1024 } }),
  }
  const message = asked.stream ? await client.messages.stream(body).finalMessage() : await client.messages.create(body)
  const texts = message.content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
  const thought = message.content.flatMap((block) => (block.type === 'thinking' ? block.thinking || [] : []))
  const calls = message.content.flatMap((block) =>
    block.type === 'tool_use' ? [{ name: block.name, args: block.input as Record<string, unknown> }] : [],
  )
  const { usage } = message
  return {
    ...(texts.length && { text: texts.join('') }),
    ...(thought.length && { reasoning: thought.join('') }),
    ...(calls.length && { calls }),
    stop: message.stop_reason === 'tool_use' ? 'tools' : 'stop',
    promptTokens: usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
    completionTokens: usage.output_tokens,
  }
}

/** Gemini itself has but the first; the ready-made mock ends calls with the other. */
const GOOD_ENDS = ['STOP', 'FUNCTION_CALL']

/** Calls have no ids here: a result belongs to the call of that name in that place. */
const earlierContents = [
  { role: 'user', parts: [{ text: EARLIER.question }] },
  { role: 'model', parts: EARLIER.calls.map(({ args }) => ({ functionCall: { name: TOOL.name, args: { ...args } } })) },
  {
    role: 'user',
    parts: EARLIER.calls.map(({ result }) => ({ functionResponse: { name: TOOL.name, response: { result } } })),
  },
]

const gemini: Client = async ({ model, url, key, ...asked }) => {
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } })
  const image = { inlineData: { mimeType: 'image/png', data: PIXEL } }
  const request = {
    model,
    contents: [
      ...(hasEarlierCalls(asked) ? earlierContents : []),
      { role: 'user', parts: [{ text: promptOf(asked.feature) }, ...(asked.feature === 'image in' ? [image] : [])] },
    ],
    config: {
      maxOutputTokens: 4000,
      ...(hasSystem(asked) && { systemInstruction: SYSTEM }),
      ...(wantsTools(asked) && {
        tools: [
          {
            functionDeclarations: [
              { name: TOOL.name, description: TOOL.description, parametersJsonSchema: TOOL.schema },
            ],
          },
        ],
        toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.AUTO } },
      }),
      ...(asked.feature === 'structured output' && {
        responseMimeType: 'application/json',
        responseJsonSchema: SCHEMA.schema,
      }),
      ...(asked.feature === 'reasoning' && { thinkingConfig: { thinkingBudget: 1024, includeThoughts: true } }),
    },
  }
  const replies = []
  if (asked.stream) for await (const reply of await client.models.generateContentStream(request)) replies.push(reply)
  else replies.push(await client.models.generateContent(request))
  const parts = replies.flatMap((reply) => reply.candidates?.[0]?.content?.parts ?? [])
  const texts = parts.filter(({ thought }) => !thought).flatMap(({ text }) => text || [])
  const thought = parts.filter((part) => part.thought).flatMap(({ text }) => text || [])
  const calls = parts.flatMap(({ functionCall }) =>
    functionCall ? [{ name: functionCall.name ?? '', args: functionCall.args ?? {} }] : [],
  )
  const finished = replies.some((reply) => GOOD_ENDS.includes(String(reply.candidates?.[0]?.finishReason)))
  const usage = replies.findLast((reply) => reply.usageMetadata?.promptTokenCount !== undefined)?.usageMetadata
  return {
    ...(texts.length && { text: texts.join('') }),
    ...(thought.length && { reasoning: thought.join('') }),
    ...(calls.length && { calls }),
    ...(finished && { stop: calls.length ? ('tools' as const) : ('stop' as const) }),
    promptTokens: usage?.promptTokenCount,
    completionTokens: (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0),
  }
}

export const CLIENTS = {
  'openai-chat': openaiChat,
  'openai-completions': openaiCompletions,
  'openai-responses': openaiResponses,
  'anthropic-messages': anthropicMessages,
  gemini,
} satisfies Record<string, Client>
