import { describe, expect, test } from 'vitest'
import { expectExactBooks, expectNothingHeld, otherOf } from '../../support/books.ts'
import { ask } from '../../support/chat.ts'
import { promptTokensOf, tokensOf } from '../../support/count.ts'
import { countInEarnest } from '../../support/counting.ts'
import { MODEL, type TestRelay } from '../../support/gateway.ts'
import {
  completion,
  type Exchange,
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

countInEarnest()

const open = reusedRelay()

const STREAM = ask(MODEL, { stream: true })
const PROMPT_TOKENS = promptTokensOf('hello')

async function theCharge(fixture: TestRelay) {
  await expectNothingHeld(fixture)
  const logs = await expectExactBooks(fixture)
  expect(logs).toHaveLength(1)
  return logs[0]
}

describe('usage', () => {
  const OUTPUT = 'Ten green bottles hanging on the wall'
  const counted = { prompt_tokens: PROMPT_TOKENS, completion_tokens: tokensOf(OUTPUT) }
  const cases: Record<string, { answer: (exchange: Exchange) => void; expected: object }> = {
    'that is never reported is counted': {
      answer: (exchange) => sendStream(exchange, [say(OUTPUT), stopChunk()]),
      expected: counted,
    },
    'of nothing but zeros is counted': {
      answer: (exchange) => sendStream(exchange, [say(OUTPUT), stopChunk(), usageChunk(usage(0, 0))]),
      expected: counted,
    },
    'in the last choice is read': {
      answer: (exchange) =>
        sendStream(exchange, [
          say(OUTPUT),
          { ...stopChunk(), choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage: usage(77, 8) }] },
        ]),
      expected: { prompt_tokens: 77, completion_tokens: 8 },
    },
    'in each chunk counts as it last stood': {
      answer: (exchange) =>
        sendStream(exchange, [
          { ...say('Ten '), usage: usage(77, 1) },
          { ...say('green'), usage: usage(77, 2) },
          { ...stopChunk(), usage: usage(77, 3) },
        ]),
      expected: { prompt_tokens: 77, completion_tokens: 3 },
    },
    'of nonsense is counted': {
      answer: (exchange) =>
        sendStream(exchange, [
          say(OUTPUT),
          stopChunk(),
          { ...usageChunk(usage(1, 1)), usage: { prompt_tokens: '7', completion_tokens: -5 } },
        ]),
      expected: counted,
    },
    'of a stream without [DONE] but with a finish reason is read, and the stream is whole': {
      answer: (exchange) => sendStream(exchange, [say(OUTPUT), stopChunk(), usageChunk(usage(77, 8))], ''),
      expected: { prompt_tokens: 77, completion_tokens: 8 },
    },
    'of a stream whose last blank line is missing is read': {
      answer: (exchange) =>
        sendStream(exchange, [say(OUTPUT), stopChunk()], `data: ${JSON.stringify(usageChunk(usage(77, 8)))}`),
      expected: { prompt_tokens: 77, completion_tokens: 8 },
    },
    'of a JSON answer to a stream is read': {
      answer: (exchange) => sendJson(exchange, completion(OUTPUT, usage(77, 8))),
      expected: { prompt_tokens: 77, completion_tokens: 8, is_stream: true },
    },
  }
  test.each(Object.entries(cases))('%s', async (_, { answer, expected }) => {
    const fixture = await open(answer)

    const got = await fixture.chat(STREAM)

    expect(got.complete).toBe(true)
    const log = await theCharge(fixture)
    expect(log).toMatchObject(expected)
    expect(log && otherOf(log)).not.toHaveProperty('incomplete')
  })

  test('of a JSON reply without usage is counted, tool calls and reasoning included', async () => {
    const call = { id: 'c', type: 'function', function: { name: 'look_up', arguments: '{"city":"Oslo"}' } }
    const message = { role: 'assistant', content: 'Well', reasoning_content: 'Hm. ', tool_calls: [call] }
    const fixture = await open((exchange) =>
      sendJson(exchange, completion('', undefined, { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] })),
    )

    await fixture.chat(ask(MODEL))

    // Seven tokens frame a tool call.
    const text = ['Well', 'Hm. ', 'look_up', '{"city":"Oslo"}'].join('')
    expect(await theCharge(fixture)).toMatchObject({
      prompt_tokens: PROMPT_TOKENS,
      completion_tokens: tokensOf(text) + 7,
    })
  })

  test('is sent to a client that requested it, even if the upstream never reports any', async () => {
    const fixture = await open((exchange) => sendStream(exchange, [say(OUTPUT), stopChunk()]))

    const answer = await fixture.chat({ ...STREAM, stream_options: { include_usage: true } })

    expect(answer.events.at(-1)).toMatchObject({
      choices: [],
      usage: { ...counted, total_tokens: counted.prompt_tokens + counted.completion_tokens },
    })
  })
})

test('reported early does not cover later output: a broken stream pays for all of it', async () => {
  const fixture = await open((exchange) => {
    startStream(exchange)
    exchange.response.write(event({ ...say('One two three'), usage: usage(11, 1) }))
    exchange.response.write(event(say(' four five six')))
    setTimeout(() => exchange.response.destroy(), 100)
  })

  const answer = await fixture.chat(STREAM)

  expect(answer.complete).toBe(false)
  expect(await theCharge(fixture)).toMatchObject({
    prompt_tokens: 11,
    completion_tokens: tokensOf('One two three four five six'),
  })
})

test('with a prompt of 0 reported early is ignored: a broken stream pays for the prompt too', async () => {
  const fixture = await open((exchange) => {
    startStream(exchange)
    exchange.response.write(event({ ...say('word word word'), usage: usage(0, 1) }))
    setTimeout(() => exchange.response.destroy(), 30)
  })
  await fixture.chat(STREAM)
  expect(await theCharge(fixture)).toMatchObject({
    prompt_tokens: PROMPT_TOKENS,
    completion_tokens: tokensOf('word word word'),
  })
})

test('of a reply without choices is charged as reported', async () => {
  const fixture = await open((exchange) => sendJson(exchange, { ...completion('', usage(5, 0)), choices: [] }))

  expect((await fixture.chat(ask(MODEL))).status).toBe(200)

  expect(await theCharge(fixture)).toMatchObject({ quota: 3 * 5 })
})

test('of text at the very end of a stream is counted once', async () => {
  const candidate = (text: string, more = {}) => ({
    candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...more }],
  })
  const payloads = [candidate('One two '), candidate('three four five six', { finishReason: 'STOP' })]
  const fixture = await open((exchange) => sendStream(exchange, payloads, ''), { channel: { type: 24 } })

  const answer = await fixture.chat(
    { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] },
    { path: `/v1beta/models/${MODEL}:streamGenerateContent?alt=sse` },
  )

  expect(answer.text).toContain('three four')
  expect(await theCharge(fixture)).toMatchObject({ completion_tokens: tokensOf('One two three four five six') })
})
