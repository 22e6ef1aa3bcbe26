import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { plainUsage } from '../../../../../server/relay/charging/usage.ts'
import type { ReplyEvent } from '../../../../../server/relay/conversation/conversation.ts'
import { openaiChat } from '../../../../../server/relay/dialects/openai-chat/dialect.ts'
import { chatReader } from '../../../../../server/relay/providers/openai/chat-reader.ts'
import { GOLDEN_CHAT } from '../../../../support/golden-messages.ts'
import { startUpstream } from '../../../../support/hand-made-upstream.ts'
import { payloads, relayError, replyContext, writtenStream, writtenWhole } from '../../../../support/reply-context.ts'
import { readStream, sse } from '../../../../support/wire.ts'

const USAGE = { ...plainUsage(20, 12), cachedTokens: 8, reasoningTokens: 4 }
const WANTS_USAGE = replyContext({ model: 'm', body: { stream_options: { include_usage: true } } })
const GOLDEN = readStream(chatReader(), `${sse(...GOLDEN_CHAT)}data: [DONE]\n\n`)
const text = (content: string): ReplyEvent => ({ kind: 'text', text: content })

const choicesOf = (wire: string) => payloads(wire).flatMap(({ choices }) => choices as Record<string, unknown>[])

/** What the official client makes of a stream. */
async function read(bytes: string, contentType = 'text/event-stream') {
  const { url } = await startUpstream(({ response }) =>
    response.writeHead(200, { 'content-type': contentType }).end(bytes),
  )
  const client = new OpenAI({ apiKey: 'sk-test', baseURL: url, maxRetries: 0 })
  return client.chat.completions
    .stream({ model: 'm', messages: [{ role: 'user', content: 'hi' }], stream_options: { include_usage: true } })
    .finalChatCompletion()
}

describe('the golden stream', () => {
  const wire = writtenStream(openaiChat, GOLDEN, { context: WANTS_USAGE, usage: USAGE })

  test('is unchanged, except that a call starts in its own chunk', () => {
    const [role, thought, words, ...rest] = GOLDEN_CHAT
    const written = payloads(wire)
    expect(role).toMatchObject(written[0] ?? {})
    expect(written.slice(1, 3)).toEqual([thought, words])
    expect(written.slice(-2)).toEqual(rest.slice(-2))
    expect(wire.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  const MESSAGE = {
    role: 'assistant',
    content: 'Checking.',
    reasoning_content: 'Need the weather.',
    tool_calls: [
      { id: 'call_a', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } },
      { id: 'call_b', type: 'function', function: { name: 'get_time', arguments: '{}' } },
    ],
  }
  const MEANT = {
    model: 'm',
    choices: [{ index: 0, finish_reason: 'tool_calls', message: MESSAGE }],
    usage: {
      prompt_tokens: 20,
      completion_tokens: 12,
      total_tokens: 32,
      prompt_tokens_details: { cached_tokens: 8 },
      completion_tokens_details: { reasoning_tokens: 4 },
    },
  }

  test('is read by the official client', async () => {
    expect(await read(wire)).toMatchObject(MEANT)
  })

  test('is the same as one body', () => {
    expect(writtenWhole(openaiChat, GOLDEN, { context: WANTS_USAGE, usage: USAGE })).toMatchObject({
      ...MEANT,
      object: 'chat.completion',
    })
  })
})

describe('a stream', () => {
  test('sends its usage only to clients that requested it', () => {
    const wire = writtenStream(openaiChat, [text('a')])
    expect(wire).not.toContain('usage')
    expect(wire.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  test('has the role once, and first, for each choice', () => {
    const events: ReplyEvent[] = [text('a'), text('b'), { kind: 'text', text: 'c', choice: 1 }]
    const roles = choicesOf(writtenStream(openaiChat, events)).map(({ index, delta }) => [
      index,
      (delta as { role?: string }).role,
    ])
    expect(roles.filter(([, role]) => role)).toEqual([
      [0, 'assistant'],
      [1, 'assistant'],
    ])
  })

  test.each([
    ['stop', [text('a')], 'stop'],
    ['length', [text('a')], 'length'],
    ['filter', [], 'content_filter'],
    ['tools', [], 'tool_calls'],
  ] as const)('that stops for %s after %j has finish reason %s', async (reason, events, expected) => {
    const wire = writtenStream(openaiChat, [...events, { kind: 'stop', reason }, { kind: 'end' }], {
      context: WANTS_USAGE,
    })
    const finished = choicesOf(wire).filter(({ finish_reason }) => finish_reason !== null)
    expect(finished.map(({ finish_reason }) => finish_reason)).toEqual([expected])
  })

  test('with calls and a normal stop has finish reason tool_calls; but length stays', () => {
    const call: ReplyEvent = { kind: 'call', call: 0, id: 'a', name: 'f' }
    const last = (reason: 'stop' | 'length') =>
      choicesOf(writtenStream(openaiChat, [call, { kind: 'stop', reason }])).at(-1)?.finish_reason
    expect(last('stop')).toBe('tool_calls')
    expect(last('length')).toBe('length')
  })

  test('has an empty object for a call without arguments, and keeps invalid arguments', async () => {
    const { choices } = await read(
      writtenStream(openaiChat, [
        { kind: 'call', call: 0, id: 'a', name: 'f' },
        { kind: 'call', call: 1, id: 'b', name: 'g' },
        { kind: 'arguments', call: 1, text: '{"x":' },
      ]),
    )
    const calls = choices[0]?.message.tool_calls?.map((call) => call.type === 'function' && call.function.arguments)
    expect(calls).toEqual(['{}', '{"x":'])
  })

  test('without output is an empty reply', async () => {
    expect((await read(writtenStream(openaiChat, []))).choices).toMatchObject([
      { finish_reason: 'stop', message: { role: 'assistant', content: null } },
    ])
  })

  test('that breaks off ends with an error, and without a success marker', async () => {
    const writer = openaiChat.writer(replyContext())
    const wire = writer.write(text('half')) + writer.interrupted(relayError())
    expect(wire).not.toContain('[DONE]')
    await expect(read(wire)).rejects.toMatchObject({ code: 'upstream_broke', type: 'upstream_error' })
  })
})

test('all other reply content is written in a stream and in one body alike', () => {
  const events: ReplyEvent[] = [
    { kind: 'reasoning', text: 'hm' },
    { kind: 'signature', signature: 's' },
    { kind: 'redacted', data: 'e' },
    text('a'),
    { kind: 'citation', citation: { url: 'https://x', start: 0, end: 1 } },
    { kind: 'logprobs', logprobs: { content: [{ token: 'a', logprob: -1 }] } },
    { kind: 'logprobs', logprobs: { content: [{ token: 'b', logprob: -2 }], refusal: null } },
    { kind: 'image', data: 'AAAA', mime: 'image/png' },
    { kind: 'call', call: 0, id: 'c', name: 'shell', custom: true, signature: 'g' },
    { kind: 'arguments', call: 0, text: 'ls' },
    { kind: 'refusal', text: 'no' },
  ]
  const [choice] = writtenWhole(openaiChat, events).choices as Record<string, unknown>[]
  const annotations = [
    { type: 'url_citation', url_citation: { url: 'https://x', title: 'https://x', start_index: 0, end_index: 1 } },
  ]
  const images = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }]
  const extra_content = { google: { thought_signature: 'g' } }
  expect(choice).toEqual({
    index: 0,
    finish_reason: 'tool_calls',
    logprobs: {
      content: [
        { token: 'a', logprob: -1 },
        { token: 'b', logprob: -2 },
      ],
      refusal: null,
    },
    message: {
      role: 'assistant',
      content: 'a',
      refusal: 'no',
      reasoning_content: 'hm',
      reasoning_details: [
        { type: 'reasoning.text', text: 'hm', signature: 's' },
        { type: 'reasoning.encrypted', data: 'e' },
      ],
      tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'shell', input: 'ls' }, extra_content }],
      images,
      annotations,
    },
  })

  const deltas = choicesOf(writtenStream(openaiChat, events)).map(({ delta }) => delta)
  expect(deltas).toEqual(
    expect.arrayContaining([
      { reasoning_content: 'hm' },
      { reasoning_details: [{ type: 'reasoning.text', text: '', signature: 's' }] },
      { reasoning_details: [{ type: 'reasoning.encrypted', data: 'e' }] },
      { content: 'a' },
      { annotations },
      { images },
      { tool_calls: [{ index: 0, id: 'c', type: 'custom', custom: { name: 'shell', input: 'ls' }, extra_content }] },
      { refusal: 'no' },
    ]),
  )
})

describe('a client of legacy functions', () => {
  const context = replyContext({ body: { functions: [{ name: 'look' }] } })
  const events: ReplyEvent[] = [
    { kind: 'call', call: 0, id: 'c0', name: 'look' },
    { kind: 'arguments', call: 0, text: '{"a":' },
    { kind: 'call', call: 1, id: 'c1', name: 'other' },
    { kind: 'arguments', call: 1, text: '{}' },
    { kind: 'arguments', call: 0, text: '1}' },
    { kind: 'stop', reason: 'tools' },
  ]

  test('reads the first call as function_call, whole and streamed', () => {
    const [choice] = writtenWhole(openaiChat, events, { context }).choices as Record<string, unknown>[]
    expect(choice).toMatchObject({
      finish_reason: 'function_call',
      message: { content: null, function_call: { name: 'look', arguments: '{"a":1}' } },
    })
    expect(choice?.message).not.toHaveProperty('tool_calls')

    const choices = choicesOf(writtenStream(openaiChat, events, { context }))
    expect(choices.map(({ delta }) => delta)).toEqual([
      { role: 'assistant', content: '' },
      { function_call: { name: 'look', arguments: '{"a":' } },
      { function_call: { arguments: '1}' } },
      {},
    ])
    expect(choices.at(-1)).toMatchObject({ finish_reason: 'function_call' })
  })

  test('has at most one call in a reply', () => {
    const messages = [{ role: 'user', content: 'hi' }]
    expect(openaiChat.parse({ messages, functions: [{ name: 'f' }] }).parallelCalls).toBe(false)
  })
})

test('a call that arrived whole is one delta, and one without arguments has an empty object', () => {
  const events: ReplyEvent[] = [
    { kind: 'call', call: 0, id: 'c0', name: 'look' },
    { kind: 'arguments', call: 0, text: '{"a":1}' },
    { kind: 'call', call: 1, id: 'c1', name: 'list' },
  ]
  const deltas = choicesOf(writtenStream(openaiChat, events)).map(({ delta }) => delta)
  expect(deltas.slice(1, 3)).toEqual([
    { tool_calls: [{ index: 0, id: 'c0', type: 'function', function: { name: 'look', arguments: '{"a":1}' } }] },
    { tool_calls: [{ index: 1, id: 'c1', type: 'function', function: { name: 'list', arguments: '{}' } }] },
  ])
})
