import { expect, test } from 'vitest'
import { post } from '../../support/chat.ts'
import { MODEL } from '../../support/gateway.ts'
import {
  completion,
  event,
  say,
  sendJson,
  sendStream,
  startStream,
  stopChunk,
  usage,
  usageChunk,
} from '../../support/hand-made-upstream.ts'
import { reusedRelay } from '../../support/reused.ts'

/* What clients read of an upstream beside its reply: limits, and the types of errors by which they decide to try again. */

const open = reusedRelay()
const LIMITS = {
  'x-ratelimit-remaining-requests': '7',
  'anthropic-ratelimit-tokens-reset': '2030-01-01T00:00:00Z',
  'openai-processing-ms': '12',
}
const body = { model: MODEL, messages: [{ role: 'user', content: 'hello' }] }

test('rate limit headers of a native upstream reach the client, and no other headers', async () => {
  const secret = { 'set-cookie': 'a=b', 'openai-organization': 'org-secret', 'x-internal': 'x' }
  const fixture = await open((exchange) => {
    if (exchange.body.stream !== true)
      return sendJson(exchange, completion('Hi', usage(20, 12)), 200, { ...LIMITS, ...secret })
    for (const [name, value] of Object.entries({ ...LIMITS, ...secret })) exchange.response.setHeader(name, value)
    sendStream(exchange, [say('Hi'), stopChunk(), usageChunk(usage(20, 12))])
  })
  for (const stream of [false, true]) {
    const { headers } = await fixture.chat({ ...body, stream })
    for (const [name, value] of Object.entries(LIMITS)) expect(headers.get(name)).toBe(value)
    for (const name of Object.keys(secret)) expect(headers.get(name)).toBeNull()
  }
})

test('rate limit headers of a translated upstream are dropped, because the client does not know their names', async () => {
  const fixture = await open((exchange) => sendJson(exchange, completion('Hi', usage(20, 12)), 200, LIMITS))
  const { headers } = await post({ ...fixture, path: '/v1/messages', body: { ...body, max_tokens: 9 } })
  expect(headers.get('x-ratelimit-remaining-requests')).toBeNull()
})

const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
const begun = [
  {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: MODEL,
      content: [],
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'half' } },
]

test.each(['/v1/messages', '/v1/chat/completions'])('an error in a stream keeps its type at %s', async (path) => {
  const fixture = await open(
    (exchange) => {
      startStream(exchange)
      const payloads = [...begun, overloaded]
      exchange.response.end(payloads.map((payload) => `event: ${payload.type}\n${event(payload)}`).join(''))
    },
    { channel: { type: 14 } },
  )
  const { text } = await post({ ...fixture, path, body: { ...body, max_tokens: 9, stream: true } })
  expect(text).toMatch(/"type":"overloaded_error"/)
})

test('a Retry-After reaches Gemini clients', async () => {
  const fixture = await open((exchange) =>
    sendJson(exchange, { error: { message: 'Slow down' } }, 429, { 'retry-after': '7' }),
  )
  const contents = [{ role: 'user', parts: [{ text: 'hello' }] }]
  const { status, json, headers } = await post({
    ...fixture,
    path: `/v1beta/models/${MODEL}:generateContent`,
    body: { contents },
  })
  expect(status).toBe(429)
  expect(headers.get('retry-after')).toBe('7')
  expect(json.error).toMatchObject({
    details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' }],
  })
})
