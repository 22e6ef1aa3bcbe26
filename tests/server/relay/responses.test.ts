import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { expectExactBooks, expectNothingHeld } from '../../support/books.ts'
import { post } from '../../support/chat.ts'
import { countInEarnest } from '../../support/counting.ts'
import { MODEL, priceOf, type TestRelay } from '../../support/gateway.ts'
import { goldenBytes } from '../../support/golden-responses.ts'
import {
  chunk,
  completion,
  event,
  onlyRequest,
  say,
  sendJson,
  sendStream,
  startStream,
  stopChunk,
  usage,
  usageChunk,
} from '../../support/hand-made-upstream.ts'
import { reusedRelay } from '../../support/reused.ts'

countInEarnest()

const open = reusedRelay()

const clientOf = ({ url, key }: TestRelay) => new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 })
const REQUEST = { model: MODEL, instructions: 'Be brief.', input: 'hello', max_output_tokens: 50 }
const reported = { ...usage(20, 12), prompt_tokens_details: { cached_tokens: 8 } }

describe('Responses with an upstream of chat completions', () => {
  test('are sent as a chat, streamed as a response, and charged by the reported usage', async () => {
    const fixture = await open((exchange) =>
      sendStream(exchange, [
        chunk({ role: 'assistant', reasoning_content: 'hm' }),
        say('Hi '),
        say('there'),
        chunk({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }] }),
        stopChunk('tool_calls'),
        usageChunk(reported),
      ]),
    )

    const final = await clientOf(fixture).responses.stream(REQUEST).finalResponse()

    expect(onlyRequest(fixture.upstream)).toMatchObject({
      path: '/v1/chat/completions',
      body: {
        model: MODEL,
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'hello' },
        ],
        stream: true,
      },
    })
    expect(final).toMatchObject({
      model: MODEL,
      status: 'completed',
      output_text: 'Hi there',
      output: [{ type: 'reasoning' }, { type: 'message' }, { type: 'function_call', call_id: 'c1' }],
      usage: { input_tokens: 20, input_tokens_details: { cached_tokens: 8 }, output_tokens: 12 },
    })
    await expectNothingHeld(fixture)
    const [log] = await expectExactBooks(fixture)
    expect(log).toMatchObject({ prompt_tokens: 20, completion_tokens: 12 })
    expect(JSON.parse(log?.other ?? '{}')).toMatchObject({ cache_tokens: 8 })
  })

  test('are returned whole', async () => {
    const fixture = await open((exchange) => sendJson(exchange, completion('Hi there', usage(20, 12))))
    const response = await clientOf(fixture).responses.create(REQUEST)
    expect(response).toMatchObject({ status: 'completed', output_text: 'Hi there', store: true })
    const [log] = await expectExactBooks(fixture)
    expect(log?.quota).toBe(priceOf(20, 12))
  })

  test('have their tokens counted for free', async () => {
    const fixture = await open((exchange) => sendJson(exchange, completion('Hi', usage(20, 12))))
    const path = '/v1/responses/input_tokens'
    const counted = await post({ ...fixture, path, body: { model: MODEL, input: 'hello' } })
    const longer = await post({ ...fixture, path, body: { model: MODEL, input: 'hello '.repeat(50) } })
    expect(counted.json).toEqual({ object: 'response.input_tokens', input_tokens: expect.any(Number) })
    expect(Number(longer.json.input_tokens)).toBeGreaterThan(Number(counted.json.input_tokens) + 40)
    expect(fixture.upstream.seen).toEqual([])
    expect(await expectExactBooks(fixture)).toEqual([])
  })

  test('return 426 for GET without a websocket, and 401 without a key', async () => {
    const fixture = await open((exchange) => sendJson(exchange, completion('Hi', usage(20, 12))))
    const statusFor = async (key: string) =>
      (await fetch(`${fixture.url}/v1/responses`, { headers: { authorization: `Bearer ${key}` } })).status
    expect(await statusFor(fixture.key)).toBe(426)
    expect(await statusFor('sk-wrong')).toBe(401)
  })

  test('omit tools that the upstream lacks, and report them', async () => {
    const fixture = await open((exchange) => sendJson(exchange, completion('Hi', usage(20, 12))))
    const tools = [
      { type: 'web_search' },
      { type: 'function', name: 'f' },
      { type: 'image_generation' },
      { type: 'tool_search' },
    ]
    const reply = await post({ ...fixture, path: '/v1/responses', body: { ...REQUEST, tools } })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('tollgate-omitted')).toBe(
      'tools[2].image_generation, tools[3].tool_search, tools[0].web_search',
    )
    const { body } = onlyRequest(fixture.upstream)
    expect(body).toMatchObject({ tools: [{ type: 'function', function: { name: 'f' } }] })
    expect(body).not.toHaveProperty('web_search_options')
    const [log] = await expectExactBooks(fixture)
    expect(log?.quota).toBe(priceOf(20, 12))
  })

  test('that break off end as a failed response, and cost their output', async () => {
    const fixture = await open((exchange) => {
      startStream(exchange)
      exchange.response.end(event(say('half')) + event({ error: { message: 'Overloaded', type: 'server_error' } }))
    })
    const final = await clientOf(fixture).responses.stream(REQUEST).finalResponse()
    expect(final).toMatchObject({
      status: 'failed',
      error: { code: 'server_error', message: expect.stringContaining('Overloaded') },
      output: [{ type: 'message', content: [{ text: 'half' }] }],
    })
    await expectNothingHeld(fixture)
    expect(await expectExactBooks(fixture)).toHaveLength(1)
  })

  test('that continue an unknown stored response are not found, and cost nothing', async () => {
    const fixture = await open(() => expect.fail('The upstream was asked'))
    const { status, json } = await post({
      ...fixture,
      path: '/v1/responses',
      body: { ...REQUEST, previous_response_id: 'resp_1' },
    })
    expect(status).toBe(404)
    expect(json.error).toMatchObject({ code: 'previous_response_not_found', param: 'previous_response_id' })
    await expectNothingHeld(fixture)
    expect(await expectExactBooks(fixture)).toHaveLength(0)
  })
})

describe('an upstream that speaks Responses', () => {
  const channel = { setting: JSON.stringify({ dialects: ['openai-responses'], shared_objects: true }) }
  const reply = {
    id: 'resp_theirs',
    object: 'response',
    status: 'completed',
    model: MODEL,
    output: [{ id: 'msg_1', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi there' }] }],
    usage: { input_tokens: 20, input_tokens_details: { cached_tokens: 8 }, output_tokens: 12 },
    future_field: 1.0,
  }

  test('gets the unchanged bytes of a Responses client, and vice versa', async () => {
    const bytes = JSON.stringify(reply, null, 1)
    // What the upstream stored counts as much as the longest context.
    const fixture = await open((exchange) => sendJson(exchange, bytes), { channel, user: { quota: 1_000_000_000 } })
    const body = `{"model":"${MODEL}", "previous_response_id":"resp_1","background":false,"input":"hello","x":1.0}`
    const { text } = await post({ ...fixture, path: '/v1/responses', body })
    const { path, raw } = onlyRequest(fixture.upstream)
    expect(path).toBe('/v1/responses')
    expect(raw.toString()).toBe(body)
    expect(text).toBe(bytes)
    expect(await expectExactBooks(fixture)).toMatchObject([{ prompt_tokens: 20, completion_tokens: 12 }])
  })

  test('streams to a Responses client event by event', async () => {
    const fixture = await open(
      (exchange) => {
        startStream(exchange)
        exchange.response.end(goldenBytes())
      },
      { channel },
    )
    const { text } = await post({ ...fixture, path: '/v1/responses', body: { ...REQUEST, stream: true } })
    expect(text).toBe(goldenBytes())
    const [log] = await expectExactBooks(fixture)
    expect(log).toMatchObject({ prompt_tokens: 20, completion_tokens: 12 })
    expect(JSON.parse(log?.other ?? '{}')).toMatchObject({ cache_tokens: 8 })
  })

  test('serves clients of chat completions too', async () => {
    const fixture = await open(
      (exchange) => {
        startStream(exchange)
        exchange.response.end(goldenBytes())
      },
      { channel },
    )
    const final = await clientOf(fixture)
      .chat.completions.stream({ model: MODEL, messages: [{ role: 'user', content: 'hello' }] })
      .finalChatCompletion()
    expect(onlyRequest(fixture.upstream)).toMatchObject({
      path: '/v1/responses',
      body: { input: [{ role: 'user', content: [{ type: 'input_text', text: 'hello' }] }], store: false, stream: true },
    })
    expect(final.choices[0]?.message).toMatchObject({
      content: 'Looking it up.',
      tool_calls: [{ id: 'call_a' }, { id: 'call_b' }],
    })
    expect(await expectExactBooks(fixture)).toMatchObject([{ prompt_tokens: 20, completion_tokens: 12 }])
  })
})

describe('legacy completions', () => {
  test('are forwarded to an upstream that supports them', async () => {
    const reply = {
      id: 'cmpl-1',
      object: 'text_completion',
      model: MODEL,
      choices: [{ text: ' upon a time', index: 0, finish_reason: 'stop' }],
      usage: usage(2, 4),
    }
    const fixture = await open((exchange) => sendJson(exchange, reply))
    const got = await clientOf(fixture).completions.create({ model: MODEL, prompt: ['Once', 'Twice'] })
    expect(onlyRequest(fixture.upstream)).toMatchObject({
      path: '/v1/completions',
      body: { prompt: ['Once', 'Twice'] },
    })
    expect(got.choices[0]?.text).toBe(' upon a time')
    const [log] = await expectExactBooks(fixture)
    expect(log?.quota).toBe(priceOf(2, 4))
  })

  test('become a chat for an upstream without them', async () => {
    const fixture = await open(
      (exchange) => sendStream(exchange, [say('upon'), stopChunk(), usageChunk(usage(2, 4))]),
      {
        channel: { setting: JSON.stringify({ dialects: ['openai-chat'] }) },
      },
    )
    const stream = await clientOf(fixture).completions.create({
      model: MODEL,
      prompt: 'Once',
      stream: true,
      stream_options: { include_usage: true },
    })
    const chunks = []
    for await (const piece of stream) chunks.push(piece)
    expect(onlyRequest(fixture.upstream).body).toMatchObject({ messages: [{ role: 'user', content: 'Once' }] })
    expect(chunks.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe('upon')
    expect(chunks.at(-1)?.usage?.total_tokens).toBe(6)
    const [log] = await expectExactBooks(fixture)
    expect(log?.quota).toBe(priceOf(2, 4))
  })
})
