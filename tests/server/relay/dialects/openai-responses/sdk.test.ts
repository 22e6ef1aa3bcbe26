import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import type { ReplyEvent } from '../../../../../server/relay/conversation/conversation.ts'
import { openaiResponses } from '../../../../../server/relay/dialects/openai-responses/dialect.ts'
import { GOLDEN_EVENTS, GOLDEN_USAGE } from '../../../../support/golden-responses.ts'
import { sendJson, startUpstream } from '../../../../support/hand-made-upstream.ts'
import { relayError, replyContext, writtenStream, writtenWhole } from '../../../../support/reply-context.ts'

/** The official client in front of a server that sends these bytes, in pieces of 37. */
async function clientOf(wire: string) {
  const { url } = await startUpstream(({ response }) => {
    const bytes = Buffer.from(wire)
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    for (let at = 0; at < bytes.length; at += 37) response.write(bytes.subarray(at, at + 37))
    response.end()
  })
  return new OpenAI({ apiKey: 'sk-test', baseURL: `${url}/v1`, maxRetries: 0 })
}
const REQUEST = { model: 'asked-model', input: 'The weather in Oslo?' }
const streamed = (events: readonly ReplyEvent[]) => writtenStream(openaiResponses, events, { usage: GOLDEN_USAGE })

describe("OpenAI's own client", () => {
  test('assembles a stream: reasoning, text, two interleaved calls, and the usage', async () => {
    const [thought, words, call, args] = GOLDEN_EVENTS
    const second: ReplyEvent = { kind: 'call', call: 1, id: 'call_b', name: 'get_time' }
    const alternating = [thought, words, call, second, args, { kind: 'arguments', call: 1, text: '{}' }] as ReplyEvent[]
    const client = await clientOf(streamed(alternating))
    const seen: string[] = []

    const final = await client.responses
      .stream(REQUEST)
      .on('response.output_text.delta', ({ snapshot }) => seen.push(snapshot))
      .finalResponse()

    expect(seen).toEqual(['Looking it up.'])
    expect(final.output_text).toBe('Looking it up.')
    expect(final.output).toMatchObject([
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'The user asks about Oslo.' }] },
      { type: 'message', status: 'completed' },
      { type: 'function_call', call_id: 'call_a', name: 'get_weather', arguments: '{"city":"Oslo"}' },
      { type: 'function_call', call_id: 'call_b', name: 'get_time', arguments: '{}' },
    ])
    expect(final).toMatchObject({
      status: 'completed',
      usage: {
        input_tokens: 20,
        input_tokens_details: { cached_tokens: 8, cache_write_tokens: 0 },
        output_tokens: 12,
        output_tokens_details: { reasoning_tokens: 4 },
        total_tokens: 32,
      },
    })
  })

  test('accumulates every kind of item in a reply', async () => {
    const events: ReplyEvent[] = [
      { kind: 'redacted', data: 'c2Vj' },
      { kind: 'text', text: 'See ' },
      { kind: 'citation', citation: { url: 'https://a.example' } },
      { kind: 'text', text: 'this.' },
      { kind: 'image', data: 'AAAA', mime: 'image/png' },
      { kind: 'call', call: 0, id: 'c1', name: 'shell', custom: true, signature: 's' },
      { kind: 'arguments', call: 0, text: 'ls' },
      { kind: 'refusal', text: 'No more.' },
    ]
    const client = await clientOf(streamed(events))
    const final = await client.responses.stream(REQUEST).finalResponse()
    expect(final.output.map(({ type }) => type)).toEqual([
      'reasoning',
      'message',
      'image_generation_call',
      'reasoning',
      'custom_tool_call',
      'message',
    ])
    expect(final.output_text).toBe('See this.')
  })

  test('reads a failure in mid-stream as the final response', async () => {
    const writer = openaiResponses.writer(replyContext())
    const client = await clientOf(writer.write({ kind: 'text', text: 'half' }) + writer.interrupted(relayError()))
    const final = await client.responses.stream(REQUEST).finalResponse()
    expect(final).toMatchObject({
      status: 'failed',
      error: { code: 'server_error', message: relayError().message },
      output: [{ type: 'message', status: 'incomplete' }],
    })
  })

  test('reads a reply truncated at its limit', async () => {
    const client = await clientOf(
      streamed([
        { kind: 'text', text: 'half' },
        { kind: 'stop', reason: 'length' },
      ]),
    )
    const final = await client.responses.stream(REQUEST).finalResponse()
    expect(final).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output_text: 'half',
    })
  })

  test('iterates over the raw events to their end', async () => {
    const client = await clientOf(streamed(GOLDEN_EVENTS))
    const types: string[] = []
    for await (const event of await client.responses.create({ ...REQUEST, stream: true })) types.push(event.type)
    expect(types[0]).toBe('response.created')
    expect(types.at(-1)).toBe('response.completed')
  })

  test('reads a whole response, and sends its items back', async () => {
    const reply = writtenWhole(openaiResponses, [...GOLDEN_EVENTS], { usage: GOLDEN_USAGE })
    const { url, seen } = await startUpstream((exchange) => sendJson(exchange, reply))
    const client = new OpenAI({ apiKey: 'sk-test', baseURL: `${url}/v1`, maxRetries: 0 })

    const first = await client.responses.create(REQUEST)
    await client.responses.create({
      model: 'asked-model',
      input: [
        { role: 'user', content: REQUEST.input },
        ...first.output.filter((item) => item.type !== 'image_generation_call'),
        { type: 'function_call_output', call_id: 'call_a', output: 'rain' },
        { type: 'function_call_output', call_id: 'call_b', output: 'noon' },
      ] as OpenAI.Responses.ResponseInput,
    })

    expect(first.output_text).toBe('Looking it up.')
    const turns = openaiResponses.parse(seen[1]?.body ?? {}).turns
    expect(turns.map(({ role, parts }) => [role, ...parts.map(({ kind }) => kind)])).toEqual([
      ['user', 'text'],
      ['assistant', 'reasoning', 'text', 'call', 'call'],
      ['user', 'result', 'result'],
    ])
  })
})
