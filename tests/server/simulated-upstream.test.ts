import OpenAI, { APIError } from 'openai'
import { afterEach, expect, test } from 'vitest'
import { type SimulatedUpstreamOptions, startSimulatedUpstream } from '../../server/demo/upstream.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

async function upstream(options?: SimulatedUpstreamOptions) {
  const { url, close } = await startSimulatedUpstream(options)
  closers.push(close)
  const client = new OpenAI({ apiKey: 'any-key', baseURL: `${url}/v1`, maxRetries: 0 })
  const post = (path: string, body: unknown, headers: Record<string, string> = { authorization: 'Bearer any-key' }) =>
    fetch(url + path, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) })
  return { url, close, client, post }
}

const ask = (content: string) => [{ role: 'user' as const, content }]
const weather = {
  type: 'function' as const,
  function: {
    name: 'get_weather',
    parameters: {
      type: 'object',
      properties: {
        city: { type: 'string' },
        unit: { enum: ['celsius', 'kelvin'] },
        days: { type: 'integer', minimum: 3 },
      },
      required: ['city'],
    },
  },
}
const weatherArguments = { city: 'Oslo', unit: 'celsius', days: 3 }

async function collect<Chunk>(stream: AsyncIterable<Chunk>): Promise<Chunk[]> {
  const chunks: Chunk[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}

async function failure(promise: Promise<unknown>): Promise<APIError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof APIError) return error
  throw new Error(`expected a refusal of the upstream, got ${String(error)}`)
}

test('the same question has the same reply, which says that the model is simulated', async () => {
  const { client } = await upstream()
  const talk = () => client.chat.completions.create({ model: 'gpt-any', messages: ask('Why is the sky blue?') })

  const [first, second] = [await talk(), await talk()]

  expect(first.choices[0]?.message.content).toMatch(/gpt-any.*simulated model.*Why is the sky blue\?/)
  expect(second.choices).toEqual(first.choices)
  expect(first).toMatchObject({ object: 'chat.completion', model: 'gpt-any', choices: [{ finish_reason: 'stop' }] })
  expect(second.id).not.toBe(first.id)
})

test('a question in Chinese gets a Chinese reply', async () => {
  const { client } = await upstream()

  const { choices } = await client.chat.completions.create({ model: 'sim-chat', messages: ask('天空为什么是蓝色的？') })

  expect(choices[0]?.message.content).toMatch(/模拟模型 sim-chat.*天空为什么是蓝色的？/)
})

test('usage follows the documented rule: a quarter of the characters and four per message, and one for each chunk', async () => {
  const { client } = await upstream()
  const messages = [{ role: 'system' as const, content: 'a'.repeat(9) }, ...ask('b'.repeat(8))]

  const whole = await client.chat.completions.create({ model: 'sim-chat', messages, n: 2, max_tokens: 7 })
  const chunks = await collect(
    await client.chat.completions.create({ model: 'sim-chat', messages, n: 2, max_tokens: 7, stream: true }),
  )

  expect(whole.usage).toEqual({ prompt_tokens: 5 + 8, completion_tokens: 14, total_tokens: 27 })
  expect(chunks.filter(({ choices }) => choices[0]?.delta.content)).toHaveLength(14)
})

test('a stream has the same content as a body, choice by choice', async () => {
  const { client } = await upstream()
  const question = { model: 'sim-chat', messages: ask('Tell me more'), n: 2 }

  const whole = await client.chat.completions.create(question)
  const streamed = await client.chat.completions.stream({ ...question, stream: true }).finalChatCompletion()

  const contentsOf = (answer: OpenAI.ChatCompletion) => answer.choices.map(({ message }) => message.content)
  expect(contentsOf(streamed)).toEqual(contentsOf(whole))
  expect(new Set(contentsOf(whole)).size).toBe(2)
})

test('usage is in a last chunk without choices, only on request', async () => {
  const { client } = await upstream()
  const question = { model: 'sim-chat', messages: ask('Hi'), stream: true as const }

  const chunks = await collect(
    await client.chat.completions.create({ ...question, stream_options: { include_usage: true } }),
  )
  const unasked = await collect(await client.chat.completions.create(question))

  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 5 } })
  expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true)
  expect(unasked.every((chunk) => !('usage' in chunk) && chunk.choices.length === 1)).toBe(true)
})

test.each(['max_tokens', 'max_completion_tokens'])('%s truncates the reply with length', async (limit) => {
  const { client } = await upstream()

  const { choices, usage } = await client.chat.completions.create({
    model: 'sim-chat',
    messages: ask('Hi'),
    [limit]: 3,
  })

  expect(choices[0]?.finish_reason).toBe('length')
  expect(usage?.completion_tokens).toBe(3)
})

test('a stop word ends the reply before it', async () => {
  const { client } = await upstream()

  const { choices } = await client.chat.completions.create({
    model: 'sim-chat',
    messages: ask('Hi'),
    stop: ['simulated'],
  })

  expect(choices[0]?.message.content).toMatch(/, a\s?$/)
  expect(choices[0]?.finish_reason).toBe('stop')
})

test('a request with tools gets a call of the first, with arguments of its schema', async () => {
  const { client } = await upstream()

  const { choices } = await client.chat.completions.create({
    model: 'sim-chat',
    messages: ask('Weather?'),
    tools: [weather],
  })

  const [call] = choices[0]?.message.tool_calls ?? []
  expect(choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { content: null } })
  expect(call).toMatchObject({ type: 'function', function: { name: 'get_weather' } })
  expect(call?.type === 'function' && JSON.parse(call.function.arguments)).toEqual(weatherArguments)
})

test('streamed arguments arrive in several chunks and join to the same call', async () => {
  const { client } = await upstream()
  const question = { model: 'sim-chat', messages: ask('Weather?'), tools: [weather], stream: true as const }

  const chunks = await collect(await client.chat.completions.create(question))
  const final = await client.chat.completions.stream(question).finalChatCompletion()

  const fragments = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls?.[0]?.function?.arguments || [])
  expect(fragments.length).toBeGreaterThan(2)
  expect(JSON.parse(fragments.join(''))).toEqual(weatherArguments)
  expect(final.choices[0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: { tool_calls: [{ type: 'function' }] },
  })
})

test('with tool_choice none, or after a tool result, the model replies with text', async () => {
  const { client } = await upstream()
  const tools = [weather]
  const call = { id: 'call_1', type: 'function' as const, function: { name: 'get_weather', arguments: '{}' } }
  const answered = [
    ...ask('Weather?'),
    { role: 'assistant' as const, tool_calls: [call] },
    { role: 'tool' as const, tool_call_id: 'call_1', content: 'It rains in Oslo' },
  ]

  const none = await client.chat.completions.create({ model: 'm', messages: ask('Hi'), tools, tool_choice: 'none' })
  const after = await client.chat.completions.create({ model: 'm', messages: answered, tools })

  expect(none.choices[0]?.message.tool_calls).toBeUndefined()
  expect(after.choices[0]?.message.content).toContain('It rains in Oslo')
})

test('a recursive schema ends, and a response format is obeyed', async () => {
  const { client } = await upstream()
  const node = {
    type: 'object',
    properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
    required: ['name', 'children'],
  }

  const { choices } = await client.chat.completions.create({
    model: 'sim-chat',
    messages: ask('A tree'),
    response_format: { type: 'json_schema', json_schema: { name: 'tree', schema: { ...node, $defs: { node } } } },
  })

  expect(JSON.parse(choices[0]?.message.content ?? '')).toMatchObject({
    name: 'A tree',
    children: [{ name: 'A tree' }],
  })
})

test('text completions answer every prompt, whole and streamed', async () => {
  const { client } = await upstream()
  const question = { model: 'sim-chat', prompt: ['one', 'two'], max_tokens: 9 }

  const whole = await client.completions.create(question)
  const chunks = await collect(await client.completions.create({ ...question, stream: true }))

  const streamed = [0, 1].map((index) =>
    chunks.map(({ choices }) => (choices[0]?.index === index ? choices[0].text : '')).join(''),
  )
  expect(whole.choices.map(({ text }) => text)).toEqual(streamed)
  expect(whole.usage).toEqual({ prompt_tokens: 2, completion_tokens: 18, total_tokens: 20 })
})

test('embeddings are deterministic, of length one, of the requested size, and the same in base64', async () => {
  const { post } = await upstream()
  const embed = async (more: object) => {
    const answer = await post('/v1/embeddings', {
      model: 'sim-embedding',
      input: ['cat', 'dog'],
      dimensions: 8,
      ...more,
    })
    return answer.json()
  }

  const [floats, packed] = [await embed({}), await embed({ encoding_format: 'base64' })]

  const [cat, dog] = floats.data.map(({ embedding }: { embedding: number[] }) => embedding)
  const bytes = Buffer.from(packed.data[0].embedding, 'base64')
  expect(Array.from({ length: 8 }, (_, at) => bytes.readFloatLE(at * 4))).toEqual(cat)
  expect(cat.reduce((sum: number, value: number) => sum + value * value, 0)).toBeCloseTo(1)
  expect(dog).not.toEqual(cat)
  expect(floats.usage).toEqual({ prompt_tokens: 2, total_tokens: 2 })
})

test('the official client reads its default base64 embedding of one text', async () => {
  const { client } = await upstream()

  const { data } = await client.embeddings.create({ model: 'sim-embedding', input: 'cat' })

  expect(data[0]?.embedding).toHaveLength(1_536)
})

test('the models are listed', async () => {
  const { client } = await upstream()

  const { data } = await client.models.list()

  expect(data.map(({ id }) => id)).toContain('sim-chat')
})

test('without a key every known path is rejected', async () => {
  const { url, post } = await upstream()
  const body = { model: 'sim-chat', messages: ask('Hi') }

  const answers = [
    await post('/v1/chat/completions', body, {}),
    await post('/v1/chat/completions', body, { authorization: 'Bearer ' }),
    await fetch(`${url}/v1/models`),
  ]

  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
  expect(await answers[0]?.json()).toMatchObject({ error: { type: 'invalid_request_error', code: 'invalid_api_key' } })
})

test.each([
  ['JSON that is none', '{"model":', { type: 'invalid_request_error' }],
  ['a body without a model', { messages: ask('Hi') }, { message: 'you must provide a model parameter' }],
  ['a body without messages', { model: 'm' }, { param: 'messages', code: 'missing_required_parameter' }],
  ['a limit that is no whole number', { model: 'm', messages: ask('Hi'), max_tokens: 0 }, { param: 'max_tokens' }],
])('%s is a bad request', async (_, body, error) => {
  const { post } = await upstream()

  const answer = await post('/v1/chat/completions', body)

  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ error })
})

test('an unknown path is not found', async () => {
  const { post } = await upstream()

  const answer = await post('/v1/nothing', {})

  expect(answer.status).toBe(404)
  expect(await answer.json()).toMatchObject({ error: { message: 'Invalid URL (POST /v1/nothing)' } })
})

test('sim-fail and sim-429 reject, the second with the time to wait', async () => {
  const { client } = await upstream()
  const talk = (model: string) => client.chat.completions.create({ model, messages: ask('Hi') })

  const [fail, limit] = [await failure(talk('sim-fail')), await failure(talk('sim-429'))]

  expect(fail).toMatchObject({ status: 500, type: 'server_error' })
  expect(limit).toMatchObject({ status: 429, code: 'rate_limit_exceeded' })
  expect(limit.headers?.get('retry-after')).toBe('1')
})

test.each([true, false])('sim-break breaks off without an end (stream: %s)', async (stream) => {
  const { post } = await upstream()

  const answer = await post('/v1/chat/completions', { model: 'sim-break', messages: ask('Hi'), stream })
  const bytes: Uint8Array[] = []
  const reading = (async () => {
    for await (const chunk of answer.body ?? []) bytes.push(chunk)
  })()

  await expect(reading).rejects.toThrow()
  expect(answer.status).toBe(200)
  expect(Buffer.concat(bytes).toString()).toContain('choices')
  expect(Buffer.concat(bytes).toString()).not.toContain('[DONE]')
})

test('sim-no-usage never reports usage, even on request', async () => {
  const { client } = await upstream()
  const question = { model: 'sim-no-usage', messages: ask('Hi') }

  const whole = await client.chat.completions.create(question)
  const chunks = await collect(
    await client.chat.completions.create({ ...question, stream: true, stream_options: { include_usage: true } }),
  )

  expect(whole.usage).toBeUndefined()
  expect(chunks.some((chunk) => 'usage' in chunk || chunk.choices.length === 0)).toBe(false)
})

test('sim-slow is silent for two seconds, and releases a client that disconnects meanwhile', async () => {
  const { post, client } = await upstream()
  const startedAt = performance.now()

  const left = client.chat.completions.create(
    { model: 'sim-slow', messages: ask('Hi'), stream: true },
    { signal: AbortSignal.timeout(100) },
  )
  await expect(left).rejects.toThrow()
  const answer = await post('/v1/chat/completions', { model: 'sim-slow', messages: ask('Hi') })

  expect(answer.status).toBe(200)
  expect(performance.now() - startedAt).toBeGreaterThan(2_000)
})

test('sim-bench returns exactly max_tokens chunks', async () => {
  const { client } = await upstream()
  const question = { model: 'sim-bench-any', messages: ask('Hi'), max_tokens: 40 }

  const whole = await client.chat.completions.create(question)
  const chunks = await collect(
    await client.chat.completions.create({ ...question, stream: true, stream_options: { include_usage: true } }),
  )

  const pieces = chunks.flatMap(({ choices }) => choices[0]?.delta.content || [])
  expect(pieces).toHaveLength(40)
  expect(pieces.join('')).toBe(whole.choices[0]?.message.content)
  expect(chunks.at(-1)?.usage).toEqual(whole.usage)
  expect(whole.usage).toEqual({ prompt_tokens: 5, completion_tokens: 40, total_tokens: 45 })
})

test.each([1, 2, 3])('sim-bench with max_tokens %i streams a whole reply', async (pieces) => {
  const { client } = await upstream()

  const final = await client.chat.completions
    .stream({ model: 'sim-bench', messages: ask('Hi'), max_tokens: pieces, stream: true })
    .finalChatCompletion()

  expect(final.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: ' token'.repeat(pieces) } })
})

test('a paced stream takes its time', async () => {
  const { client } = await upstream({ tokensPerSecond: 100, firstTokenMs: 50 })
  const startedAt = performance.now()

  await collect(
    await client.chat.completions.create({ model: 'sim-bench', messages: ask('Hi'), max_tokens: 20, stream: true }),
  )

  expect(performance.now() - startedAt).toBeGreaterThan(50 + 190)
})

test('close ends open connections and frees the port', async () => {
  const { url, close, client } = await upstream({ tokensPerSecond: 1 })
  const stream = await client.chat.completions.create({ model: 'sim-chat', messages: ask('Hi'), stream: true })

  await close()
  closers.length = 0

  await expect(collect(stream)).rejects.toThrow()
  const again = await upstream({ port: Number(new URL(url).port) })
  expect(again.url).toBe(url)
})
