import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { expectExactBooks, expectNothingHeld, otherOf, untilCharged } from '../../support/books.ts'
import { ask, type Payload, send } from '../../support/chat.ts'
import { CHANNEL_KEY, MODEL, openTestRelay, priceOf, type RelayOptions } from '../../support/gateway.ts'
import { type Exchange, sendJson, startStream } from '../../support/hand-made-upstream.ts'
import { WIRES, type WireName } from '../../support/wires.ts'

/** Usage of one request, in each format: 20 prompt tokens, 5 of completion. */
const USAGE: Partial<Record<WireName, object>> = {
  messages: { input_tokens: 20, output_tokens: 5 },
  responses: { input_tokens: 20, output_tokens: 5, total_tokens: 25 },
  gemini: { promptTokenCount: 20, candidatesTokenCount: 5, totalTokenCount: 25 },
}
const RICH: RelayOptions = { user: { quota: 100_000_000 } }
const texts = ['zero', 'one', 'two']

/** An upstream that gives one reply at a time, and each time another text. */
function oneAtATime(name: WireName) {
  let count = 0
  const wire = WIRES[name]
  return (exchange: Exchange) => {
    const { body, path, response } = exchange
    const wanted = body.n ?? (body.generationConfig as { candidateCount?: number } | undefined)?.candidateCount
    if (wanted !== undefined)
      return sendJson(
        exchange,
        { error: { code: 400, message: 'Multiple candidates is not enabled for this model' } },
        400,
      )
    const text = texts[count++] as string
    const end = { usage: USAGE[name] as object }
    if (!(body.stream === true || path.includes('streamGenerateContent')))
      return sendJson(exchange, wire.whole(text, end))
    startStream(exchange)
    response.write(wire.begin(text))
    // Each ends in its turn, so that they overlap.
    setTimeout(() => response.end(wire.more('!') + wire.end(end)), 20 * count)
  }
}

const channelOf = (name: WireName) => ({ channel: WIRES[name].channel })
const choicesIn = (events: readonly Payload[]) => {
  const messages: Record<number, string> = {}
  const order: number[] = []
  const finishes: Record<number, unknown> = {}
  for (const { choices = [] } of events) {
    for (const { index, delta, finish_reason } of choices as {
      index: number
      delta: { content?: string }
      finish_reason: unknown
    }[]) {
      messages[index] = (messages[index] ?? '') + (delta.content ?? '')
      if (delta.content) order.push(index)
      if (finish_reason) finishes[index] = finish_reason
    }
  }
  return { content: messages, order, finishes }
}

test.each(['messages', 'responses', 'gemini'] as const)(
  'n replies are n requests to an upstream of %s, one reply and one charge of the sum',
  async (name) => {
    const fixture = await openTestRelay(oneAtATime(name), { ...RICH, ...channelOf(name) })
    const client = new OpenAI({ baseURL: `${fixture.url}/v1`, apiKey: fixture.key, maxRetries: 0 })

    const { choices, usage } = await client.chat.completions.create({
      model: MODEL,
      messages: [{ role: 'user', content: 'hello' }],
      n: 3,
      max_tokens: 50,
    })

    expect(choices.map(({ index }) => index)).toEqual([0, 1, 2])
    expect(choices.map(({ message }) => message.content).sort()).toEqual([...texts].sort())
    expect(choices.map(({ finish_reason }) => finish_reason)).toEqual(['stop', 'stop', 'stop'])
    expect(usage).toMatchObject({ prompt_tokens: 60, completion_tokens: 15, total_tokens: 75 })
    await expectNothingHeld(fixture)
    const [log, ...others] = await expectExactBooks(fixture)
    expect(others).toEqual([])
    expect(log).toMatchObject({ quota: priceOf(60, 15), prompt_tokens: 60, completion_tokens: 15 })
    // The prompt and the output of each, before any was sent.
    expect(log && otherOf(log).hold).toBeGreaterThanOrEqual(priceOf(3 * 8, 150))
  },
)

test.each(['messages', 'responses', 'gemini'] as const)(
  'streams of n replies over an upstream of %s are interleaved by index',
  async (name) => {
    const fixture = await openTestRelay(oneAtATime(name), { ...RICH, ...channelOf(name) })

    const body = ask(MODEL, { n: 3, stream: true, stream_options: { include_usage: true } })
    const answer = await fixture.chat(body)

    expect(answer).toMatchObject({ status: 200, complete: true })
    const { content, order, finishes } = choicesIn(answer.events)
    expect(Object.values(content).sort()).toEqual(texts.map((text) => `${text}!`).sort())
    expect(finishes).toEqual({ 0: 'stop', 1: 'stop', 2: 'stop' })
    // All begin before the first ends.
    expect(order.slice(0, 3).sort()).toEqual([0, 1, 2])
    expect(answer.events.at(-1)?.usage).toMatchObject({ prompt_tokens: 60, completion_tokens: 15 })
    await expectNothingHeld(fixture)
    expect((await expectExactBooks(fixture)).map(({ quota }) => quota)).toEqual([priceOf(60, 15)])
  },
)

test('candidateCount of a Gemini client works with models that return one candidate', async () => {
  for (const name of ['gemini', 'messages'] as const) {
    const fixture = await openTestRelay(oneAtATime(name), { ...RICH, ...channelOf(name) })
    const client = new GoogleGenAI({ apiKey: fixture.key, httpOptions: { baseUrl: fixture.url } })
    const config = { candidateCount: 2 }

    const { candidates, usageMetadata } = await client.models.generateContent({
      model: MODEL,
      contents: 'hello',
      config,
    })

    expect(candidates?.map((candidate) => candidate.content?.parts?.[0]?.text).sort()).toEqual(['one', 'zero'])
    expect(usageMetadata).toMatchObject({ promptTokenCount: 40, candidatesTokenCount: 10 })
    expect((await expectExactBooks(fixture)).map(({ quota }) => quota)).toEqual([priceOf(40, 10)])
  }
})

test('a failure before the first token fails the attempt, which costs nothing; the next channel serves all', async () => {
  let requests = 0
  const fixture = await openTestRelay(
    (exchange) => {
      if (requests++ === 1)
        return sendJson(exchange, { type: 'error', error: { type: 'api_error', message: 'no' } }, 500)
      if (requests > 3) return sendJson(exchange, WIRES.messages.whole('fine', { usage: USAGE.messages as object }))
      // Until it is hung up on.
    },
    { ...RICH, ...channelOf('messages') },
  )
  await fixture.toolkit.options.set(fixture.root, 'RetryTimes', '1')
  await fixture.channel({ base_url: fixture.upstream.url, models: MODEL, key: CHANNEL_KEY, ...WIRES.messages.channel })

  const answer = await fixture.chat(ask(MODEL, { n: 3 }))

  expect(answer).toMatchObject({ status: 200, json: { choices: [{}, {}, {}] } })
  const ended = () => fixture.upstream.seen.filter(({ whole }) => whole === false).length
  await expect.poll(ended).toBe(2)
  const [log] = await expectExactBooks(fixture)
  expect(log).toMatchObject({ quota: priceOf(60, 15) })
  expect(log && otherOf(log).attempts).toBe(2)
  // The second attempt sets no more aside than the first.
  await fixture.chat(ask(MODEL, { n: 3 }))
  const holds = (await expectExactBooks(fixture)).map((row) => otherOf(row).hold)
  expect(holds[0]).toBe(holds[1])
})

test('a later failure breaks the reply, and all output is charged', async () => {
  let requests = 0
  const fixture = await openTestRelay(
    (exchange) => {
      startStream(exchange)
      exchange.response.write(WIRES.messages.begin('hello world'))
      if (requests++ === 0) setTimeout(() => exchange.response.destroy(), 50)
    },
    { ...RICH, ...channelOf('messages') },
  )

  const answer = await fixture.chat(ask(MODEL, { n: 2, stream: true }))

  expect(answer.events.at(-1)).toMatchObject({ error: { type: 'upstream_error' } })
  expect(answer.complete).toBe(false)
  await expect.poll(() => fixture.upstream.seen.every(({ whole }) => whole === false)).toBe(true)
  await expectNothingHeld(fixture)
  const [log] = await expectExactBooks(fixture)
  expect(log && otherOf(log)).toMatchObject({ incomplete: true, end_reason: 'upstream-broke' })
  // The prompt went out twice.
  expect(log?.prompt_tokens).toBe(2 * 9)
})

test('a client that disconnects aborts all requests', async () => {
  const fixture = await openTestRelay(
    (exchange) => {
      startStream(exchange)
      exchange.response.write(WIRES.messages.begin('hello world'))
    },
    { ...RICH, ...channelOf('messages') },
  )
  await fixture.toolkit.options.set(fixture.root, 'CompleteAfterDisconnect', 'false')
  const abort = new AbortController()
  const body = ask(MODEL, { n: 4, stream: true })
  const response = await send({ url: fixture.url, key: fixture.key, body, signal: abort.signal })
  await response.body?.getReader().read()

  abort.abort()

  await expect.poll(() => fixture.upstream.seen.map(({ whole }) => whole)).toEqual([false, false, false, false])
  await untilCharged(fixture, 1)
  await expectNothingHeld(fixture)
  await expectExactBooks(fixture)
})

test('a balance for one prompt but not all of them is rejected before any request', async () => {
  const quota = priceOf(60_000, 6)
  const fixture = await openTestRelay(oneAtATime('messages'), { user: { quota }, ...channelOf('messages') })

  const long = [{ role: 'user', content: 'many words '.repeat(20_000) }]
  const answer = await fixture.chat({ model: MODEL, messages: long, n: 3, max_tokens: 1 })

  expect(answer).toMatchObject({ status: 403, json: { error: { code: 'insufficient_user_quota' } } })
  expect(fixture.upstream.seen).toEqual([])
  await expectNothingHeld(fixture)
})

test.each([
  [{ n: 17 }, '/v1/chat/completions', 'n must be at most 16'],
  [
    { candidateCount: 17 },
    `/v1beta/models/${MODEL}:generateContent`,
    'generationConfig.candidateCount must be at most 16',
  ],
])('more replies than are requested together, %j, are rejected with the number', async (count, path, message) => {
  const fixture = await openTestRelay(oneAtATime('messages'), { ...RICH, ...channelOf('messages') })
  const contents = [{ role: 'user', parts: [{ text: 'hello' }] }]
  const body = 'n' in count ? ask(MODEL, count) : { contents, generationConfig: count }
  const refused = await fixture.chat(body, { path })
  expect(refused).toMatchObject({ status: 400, json: { error: { message: expect.stringContaining(message) } } })
  expect(fixture.upstream.seen).toEqual([])
  await expectNothingHeld(fixture)
})
