import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, onTestFinished, test } from 'vitest'
import { plainUsage } from '../../../../../server/relay/charging/usage.ts'
import { collect } from '../../../../../server/relay/conversation/collect.ts'
import type { ReplyEvent } from '../../../../../server/relay/conversation/conversation.ts'
import { anthropicMessages } from '../../../../../server/relay/dialects/anthropic-messages/dialect.ts'
import { anthropicModelList } from '../../../../../server/relay/dialects/anthropic-messages/models.ts'
import type { RelayError } from '../../../../../server/relay/dialects/dialect.ts'
import { replyContext } from '../../../../support/reply-context.ts'

interface Answer {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body: string
}

/** Anthropic's own client, talking to a server that always gives this answer, in small pieces. */
async function clientOf(answer: Answer, { pieceBytes = 37 } = {}) {
  let requestCount = 0
  const server = createServer((request, reply) => {
    requestCount++
    request.resume()
    reply.writeHead(answer.status ?? 200, answer.headers)
    const bytes = Buffer.from(answer.body)
    for (let at = 0; at < bytes.length; at += pieceBytes) reply.write(bytes.subarray(at, at + pieceBytes))
    reply.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const client = new Anthropic({ apiKey: 'sk-test', baseURL: `http://127.0.0.1:${port}` })
  return { client, requestCount: () => requestCount }
}

const REQUEST = { model: 'm', max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hi' }] }
const USAGE = { ...plainUsage(20, 12), cachedTokens: 8 }

/** Two calls whose arguments alternate, after a signed thought and a text. */
const EVENTS: readonly ReplyEvent[] = [
  { kind: 'start', id: 'chatcmpl-1', model: 'other' },
  { kind: 'reasoning', text: 'Need the ' },
  { kind: 'reasoning', text: 'weather.' },
  { kind: 'signature', signature: 'c2ln' },
  { kind: 'text', text: 'Grüße, ' },
  { kind: 'text', text: '世界.' },
  { kind: 'call', call: 0, id: 'call_a', name: 'get_weather' },
  { kind: 'call', call: 1, id: 'call_b', name: 'get_time' },
  { kind: 'arguments', call: 0, text: '{"city":' },
  { kind: 'arguments', call: 1, text: '{"zone":' },
  { kind: 'arguments', call: 0, text: '"Oslo"}' },
  { kind: 'arguments', call: 1, text: '"CET"}' },
  { kind: 'stop', reason: 'tools' },
  { kind: 'usage', usage: USAGE },
  { kind: 'end' },
]

const MEANT = {
  id: 'msg_req1',
  role: 'assistant',
  model: 'm',
  content: [
    { type: 'thinking', thinking: 'Need the weather.', signature: 'c2ln' },
    { type: 'text', text: 'Grüße, 世界.' },
    { type: 'tool_use', id: 'call_a', name: 'get_weather', input: { city: 'Oslo' } },
    { type: 'tool_use', id: 'call_b', name: 'get_time', input: { zone: 'CET' } },
  ],
  stop_reason: 'tool_use',
  usage: { input_tokens: 12, cache_creation_input_tokens: 0, cache_read_input_tokens: 8, output_tokens: 12 },
}

function streamed(events: readonly ReplyEvent[], end: (writer: ReturnType<typeof anthropicMessages.writer>) => string) {
  const writer = anthropicMessages.writer(replyContext({ model: 'm', promptTokens: 21 }))
  const body = anthropicMessages.ping + events.map((event) => writer.write(event)).join('') + end(writer)
  return { headers: { 'content-type': writer.contentType }, body }
}

const ERROR: RelayError = {
  status: 529,
  message: 'Too much to do',
  type: 'upstream_error',
  param: null,
  code: null,
  requestId: 'req1',
}

describe("Anthropic's own client", () => {
  test('reads a stream correctly', async () => {
    const { client } = await clientOf(streamed(EVENTS, (writer) => writer.end(USAGE)))
    expect(await client.messages.stream(REQUEST).finalMessage()).toMatchObject(MEANT)
  })

  test('reads a whole message correctly', async () => {
    const message = anthropicMessages.whole(collect(EVENTS), USAGE, replyContext({ model: 'm' }))
    const { client } = await clientOf({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
    })
    expect(await client.messages.create(REQUEST)).toMatchObject(MEANT)
  })

  test('reads an empty reply', async () => {
    const { client } = await clientOf(streamed([], (writer) => writer.end(plainUsage(5, 0))))
    expect(await client.messages.stream(REQUEST).finalMessage()).toMatchObject({
      content: [{ type: 'text', text: '' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 5, output_tokens: 0 },
    })
  })

  test('throws when a stream breaks off, with our message', async () => {
    const { client } = await clientOf(streamed(EVENTS.slice(0, 6), (writer) => writer.interrupted(ERROR)))
    const stream = client.messages.stream(REQUEST)
    await expect(stream.finalMessage()).rejects.toThrow(/overloaded_error.*Too much to do/)
  })

  test('throws the class of the status, and does not retry if it should not', async () => {
    const { body, headers } = anthropicMessages.error({ ...ERROR, status: 429, code: 'insufficient_user_quota' })
    const answer = {
      status: 429,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }
    const { client, requestCount } = await clientOf(answer)
    const failed = await client.messages.create(REQUEST).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(Anthropic.RateLimitError)
    expect(failed).toMatchObject({ status: 429, requestID: 'req1', type: 'rate_limit_error' })
    expect(requestCount()).toBe(1)
  })

  test('reads the list of models', async () => {
    const body = JSON.stringify(anthropicModelList(['a', 'b']))
    const { client } = await clientOf({ headers: { 'content-type': 'application/json' }, body })
    const ids: string[] = []
    for await (const { id } of client.models.list()) ids.push(id)
    expect(ids).toEqual(['a', 'b'])
  })
})
