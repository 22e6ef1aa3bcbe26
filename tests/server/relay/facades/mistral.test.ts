import { expect, test } from 'vitest'
import { expectExactBooks, expectNothingHeld } from '../../../support/books.ts'
import { post } from '../../../support/chat.ts'
import { MODEL, openTestRelay, priceOf } from '../../../support/gateway.ts'
import {
  completion,
  type Exchange,
  say,
  sendJson,
  sendStream,
  stopChunk,
  usage,
  usageChunk,
} from '../../../support/hand-made-upstream.ts'
import { WIRES } from '../../../support/wires.ts'

const MISTRAL = 42
const OPENAI = 1
const ASK = { model: MODEL, prompt: 'def add(a, b):', suffix: 'return sum' }
const REPORTED = { usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 } }

function fills(exchange: Exchange) {
  const { path, body } = exchange
  if (path === '/v1/fim/completions') {
    if (body.stream !== true) return sendJson(exchange, completion('sum = a + b', usage(20, 5)))
    return sendStream(exchange, [say('sum = '), say('a + b'), stopChunk(), usageChunk(usage(20, 5))])
  }
  if (body.stream !== true) return sendJson(exchange, WIRES.completions.whole('sum = a + b', REPORTED))
  exchange.response.setHeader('content-type', 'text/event-stream')
  return exchange.response.end(
    WIRES.completions.begin('sum = ') + WIRES.completions.more('a + b') + WIRES.completions.end(REPORTED),
  )
}

test.each([
  ["Mistral's", MISTRAL, '/v1/fim/completions'],
  ["OpenAI's", OPENAI, '/v1/completions'],
])('a gap is filled over %s upstreams, whole and streamed', async (_, type, path) => {
  const fixture = await openTestRelay(fills, { channel: { type }, user: { quota: 1e8 } })
  const fim = (body: object) => post({ ...fixture, path: '/v1/fim/completions', body: { ...ASK, ...body } })

  const whole = await fim({ random_seed: 7, temperature: 0 })
  const streamed = await fim({ stream: true })

  expect(whole.json).toMatchObject({
    object: 'chat.completion',
    model: expect.any(String),
    usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 },
    choices: [{ index: 0, message: { role: 'assistant', content: 'sum = a + b' }, finish_reason: 'stop' }],
  })
  expect(streamed).toMatchObject({ complete: true, content: 'sum = a + b' })
  expect(streamed.events.at(-1)?.usage).toEqual({ prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 })
  expect(fixture.upstream.seen.map((seen) => seen.path)).toEqual([path, path])
  const seed = type === MISTRAL ? { random_seed: 7 } : { seed: 7 }
  expect(fixture.upstream.seen[0]?.body).toEqual({
    ...ASK,
    ...seed,
    temperature: 0,
  })
  await expectNothingHeld(fixture)
  expect((await expectExactBooks(fixture)).map(({ quota }) => quota)).toEqual([priceOf(20, 5), priceOf(20, 5)])
})

test('an upstream without completions rejects the suffix by its name', async () => {
  const fixture = await openTestRelay(fills, { channel: WIRES.messages.channel })
  const answer = await post({ ...fixture, path: '/v1/fim/completions', body: ASK })
  expect(answer).toMatchObject({
    status: 400,
    json: { object: 'error', message: expect.stringContaining('suffix is not supported') },
  })
  expect(fixture.upstream.seen).toEqual([])
})

test('several texts, an echo and a missing prompt are rejected by the name of the field', async () => {
  const fixture = await openTestRelay(fills, { channel: { type: MISTRAL } })
  for (const [field, body] of [
    ['prompt', { prompt: ['a', 'b'] }],
    ['echo', { echo: true }],
    ['prompt', { prompt: '' }],
  ] as const) {
    const answer = await post({ ...fixture, path: '/v1/fim/completions', body: { ...ASK, ...body } })
    expect(answer).toMatchObject({ status: 400, json: { message: expect.stringContaining(field) } })
  }
  expect(fixture.upstream.seen).toEqual([])
})
