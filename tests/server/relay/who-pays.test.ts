import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { expectExactBooks, expectNothingHeld, otherOf, untilCharged } from '../../support/books.ts'
import { ask, send } from '../../support/chat.ts'
import { promptTokensOf, tokensOf } from '../../support/count.ts'
import { countInEarnest } from '../../support/counting.ts'
import { BALANCE, MODEL, openTestRelay, priceOf, type TestRelay } from '../../support/gateway.ts'
import {
  chunk,
  completion,
  DONE,
  type Exchange,
  event,
  say,
  sendJson,
  sendStream,
  startStream,
  startUpstream,
  stopChunk,
  usage,
  usageChunk,
} from '../../support/hand-made-upstream.ts'
import { reusedRelay } from '../../support/reused.ts'

countInEarnest()

const openRelay = reusedRelay()

const STREAM = { stream: true }
const PROMPT_TOKENS = promptTokensOf('hello')

/** The one charge, after the books were found exact and the hold given back. */
async function theCharge(fixture: TestRelay) {
  await untilCharged(fixture, 1)
  await expectNothingHeld(fixture)
  const [log] = await expectExactBooks(fixture)
  if (!log) throw new Error('There is no charge')
  expect(await fixture.balance(fixture.person)).toBe(BALANCE - log.quota)
  return { ...log, other: otherOf(log) }
}

async function expectNoCharge(fixture: TestRelay) {
  await expectNothingHeld(fixture)
  expect(await expectExactBooks(fixture)).toEqual([])
  expect(await fixture.balance(fixture.person)).toBe(BALANCE)
}

/** A second channel, asked after the first. */
async function addSecondChannel({ toolkit, root, channel }: TestRelay) {
  const upstream = await startUpstream((exchange) =>
    exchange.body.stream
      ? sendStream(exchange, [say('second'), stopChunk(), usageChunk(usage(10, 1))])
      : sendJson(exchange, completion('second', usage(10, 1))),
  )
  await toolkit.options.set(root, 'RetryTimes', '1')
  return { upstream, channel: await channel({ base_url: upstream.url, models: MODEL, priority: -1 }) }
}

describe('complete, usage reported', () => {
  test('a JSON reply costs the reported tokens', async () => {
    const fixture = await openRelay((exchange) => sendJson(exchange, completion('hi', usage(11, 13))))

    const answer = await fixture.chat(ask(MODEL))

    expect(answer).toMatchObject({ status: 200, content: 'hi', complete: true })
    // 3 × (11 + 7 × 13)
    expect(await theCharge(fixture)).toMatchObject({
      quota: 306,
      prompt_tokens: 11,
      completion_tokens: 13,
      is_stream: false,
      request_id: answer.requestId,
    })
  })

  test('a stream costs the reported tokens, and a client that did not request usage gets none', async () => {
    const fixture = await openRelay((exchange) =>
      sendStream(exchange, [say('h'), say('i'), stopChunk(), usageChunk(usage(11, 13))]),
    )

    const answer = await fixture.chat(ask(MODEL, STREAM))

    expect(answer).toMatchObject({ status: 200, content: 'hi', complete: true })
    expect(answer.events.some(({ usage: reported }) => reported)).toBe(false)
    expect(fixture.upstream.seen[0]?.body.stream_options).toEqual({ include_usage: true })
    const { other, ...log } = await theCharge(fixture)
    expect(log).toMatchObject({ quota: 306, prompt_tokens: 11, completion_tokens: 13, is_stream: true })
    expect(other).not.toHaveProperty('incomplete')
  })

  test('cached and audio tokens cost their own ratios', async () => {
    const reported = {
      ...usage(100, 20),
      prompt_tokens_details: { cached_tokens: 40, audio_tokens: 10 },
      completion_tokens_details: { audio_tokens: 5 },
    }
    const fixture = await openRelay((exchange) => sendJson(exchange, completion('hi', reported)))
    await fixture.toolkit.options.set(fixture.root, 'CacheRatio', JSON.stringify({ [MODEL]: 0.25 }))

    await fixture.chat(ask(MODEL))

    const { quota, other } = await theCharge(fixture)
    expect(other).toMatchObject({ cache_tokens: 40, cache_ratio: 0.25, audio_input: 10, audio_output: 5 })
    const { audio_ratio: audio, audio_completion_ratio: audioOut } = other as Record<string, number>
    if (audio === undefined || audioOut === undefined) throw new Error('The row does not keep the audio ratios')
    // 50 plain prompt tokens, 40 cached, 10 audio; 15 plain completion tokens, 5 audio.
    expect(quota).toBe(Math.round(3 * (50 + 40 * 0.25 + 10 * audio + 15 * 7 + 5 * audio * audioOut)))
  })
})

test('complete, no usage: the prompt and the output are counted', async () => {
  const output = 'The quick brown fox jumps over the lazy dog. 天地玄黄，宇宙洪荒。'
  const fixture = await openRelay((exchange) => sendJson(exchange, completion(output)))

  await fixture.chat(ask(MODEL))

  expect(await theCharge(fixture)).toMatchObject({
    prompt_tokens: PROMPT_TOKENS,
    completion_tokens: tokensOf(output),
    quota: priceOf(PROMPT_TOKENS, tokensOf(output)),
    other: { estimated: true },
  })
})

test('a whole reply to a stream request, no usage: the output is counted once', async () => {
  const output = 'The quick brown fox jumps over the lazy dog.'
  const fixture = await openRelay((exchange) => sendJson(exchange, completion(output)))

  expect(await fixture.chat(ask(MODEL, STREAM))).toMatchObject({ content: output, complete: true })

  expect(await theCharge(fixture)).toMatchObject({ completion_tokens: tokensOf(output) })
})

test('a usage of the prompt alone is not used: the output is counted', async () => {
  const output = 'The quick brown fox jumps over the lazy dog, and the dog does not mind at all.'
  const fixture = await openRelay((exchange) =>
    sendStream(exchange, [say(exchange.body.max_tokens === 1 ? 'The' : output), stopChunk(), usageChunk(usage(11, 1))]),
  )

  await fixture.chat(ask(MODEL, STREAM))
  await fixture.chat(ask(MODEL, { ...STREAM, max_tokens: 1 }))

  const logs = await expectExactBooks(fixture)
  const charged = logs.map((log) => [log.prompt_tokens, log.completion_tokens, otherOf(log).estimated])
  expect(charged).toEqual([
    [11, tokensOf(output), true],
    [11, 1, undefined],
  ])
})

test('incomplete by the model: a reply truncated at its length costs the reported usage', async () => {
  const cut = completion('as far as', usage(11, 3), {
    choices: [{ index: 0, message: { role: 'assistant', content: 'as far as' }, finish_reason: 'length' }],
  })
  const fixture = await openRelay((exchange) =>
    exchange.body.stream
      ? sendStream(exchange, [say('as far as'), stopChunk('length'), usageChunk(usage(11, 3))])
      : sendJson(exchange, cut),
  )

  const answers = [await fixture.chat(ask(MODEL)), await fixture.chat(ask(MODEL, STREAM))]

  expect(answers.every(({ complete }) => complete)).toBe(true)
  const logs = await expectExactBooks(fixture)
  expect(logs.map(({ quota }) => quota)).toEqual([priceOf(11, 3), priceOf(11, 3)])
})

describe('the upstream fails before its first token: nothing, and the next channel is used', () => {
  const failing: Record<string, (exchange: Exchange) => void> = {
    'answers 500': (exchange) => sendJson(exchange, { error: { message: 'broken' } }, 500),
    'closes the connection': ({ response }) => response.destroy(),
    'breaks its JSON half-way': ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 500 })
      response.write('{"choices":[{"message":{"content":"lost', () => response.destroy())
    },
    'starts a stream and dies': (exchange) => {
      startStream(exchange)
      exchange.response.write(event(chunk({ role: 'assistant', content: '' })), () => exchange.response.destroy())
    },
    'sends an error as its first event': (exchange) =>
      sendStream(exchange, [{ error: { message: 'overloaded', type: 'server_error' } }]),
    'ends a stream without a word': (exchange) => sendStream(exchange, []),
  }
  test.each(Object.entries(failing))('%s', async (_, fail) => {
    const fixture = await openRelay(fail)
    const second = await addSecondChannel(fixture)

    const answer = await fixture.chat(ask(MODEL, STREAM))

    expect(answer).toMatchObject({ status: 200, content: 'second', complete: true })
    expect([fixture.upstream.seen.length, second.upstream.seen.length]).toEqual([1, 1])
    const { quota, channel, other } = await theCharge(fixture)
    expect({ quota, channel }).toEqual({ quota: priceOf(10, 1), channel: second.channel.id })
    expect(other.admin_info.use_channel).toEqual([fixture.servedBy.id, second.channel.id].map(String))
  })

  test('and if no channel is left the client pays nothing', async () => {
    const fixture = await openRelay((exchange) => sendJson(exchange, { error: { message: 'broken' } }, 500))

    expect((await fixture.chat(ask(MODEL))).status).toBe(500)

    await expectNoCharge(fixture)
  })
})

describe('no first token in time', () => {
  const settings = { FIRST_TOKEN_TIMEOUT: '1' }
  const silent = (exchange: Exchange) => {
    startStream(exchange)
    exchange.response.write(': still thinking\n\n')
  }

  test('costs nothing, and another channel is used', async () => {
    const fixture = await openRelay(silent, { settings })
    const second = await addSecondChannel(fixture)

    const answer = await fixture.chat(ask(MODEL, STREAM))

    expect(answer).toMatchObject({ status: 200, content: 'second', complete: true })
    expect(await theCharge(fixture)).toMatchObject({ quota: priceOf(10, 1), channel: second.channel.id })
    await expect.poll(() => fixture.upstream.seen[0]?.whole).toBe(false)
  })

  test('on the only channel is a 504 that costs nothing', async () => {
    const fixture = await openRelay(silent, { settings })

    const answer = await fixture.chat(ask(MODEL, STREAM))

    expect(answer).toMatchObject({ status: 504, json: { error: { code: 'first_token_timeout' } } })
    await expectNoCharge(fixture)
  })

  test('a first token in time stops the timeout', async () => {
    const fixture = await openRelay(
      async (exchange) => {
        startStream(exchange)
        exchange.response.write(event(say('in time')))
        await sleep(1300)
        exchange.response.end(event(stopChunk()) + event(usageChunk(usage(11, 2))) + DONE)
      },
      { settings },
    )

    expect(await fixture.chat(ask(MODEL, STREAM))).toMatchObject({ content: 'in time', complete: true })
    expect(await theCharge(fixture)).toMatchObject({ quota: priceOf(11, 2) })
  })
})

describe('the upstream breaks, or goes silent, after its first token: prompt and output so far', () => {
  const begun = (exchange: Exchange) => {
    startStream(exchange)
    exchange.response.write(event(say('One two ')))
    return new Promise<void>((resolve) => exchange.response.write(event(say('three')), () => resolve()))
  }
  const breaking: Record<string, (exchange: Exchange) => unknown> = {
    'destroys the connection': (exchange) => begun(exchange).then(() => exchange.response.destroy()),
    'goes silent': begun,
    'sends an error event': (exchange) =>
      begun(exchange).then(() =>
        exchange.response.end(event({ error: { message: 'a very long text about what went wrong', code: 500 } })),
      ),
    'ends without a finish reason': (exchange) => begun(exchange).then(() => exchange.response.end()),
  }
  test.each(Object.entries(breaking))('%s', async (_, answer) => {
    const fixture = await openRelay(answer, { settings: { RELAY_TIMEOUT: '1' } })
    await addSecondChannel(fixture)

    const got = await fixture.chat(ask(MODEL, STREAM))

    expect(got).toMatchObject({ status: 200, content: 'One two three', complete: false })
    expect(got.events.at(-1)?.error).toMatchObject({ code: expect.any(String), type: expect.any(String) })
    const { other, ...log } = await theCharge(fixture)
    expect(log).toMatchObject({
      prompt_tokens: PROMPT_TOKENS,
      completion_tokens: tokensOf('One two three'),
      quota: priceOf(PROMPT_TOKENS, tokensOf('One two three')),
    })
    expect(other).toMatchObject({ incomplete: true, end_reason: 'upstream-broke', estimated: true })
  })
})

describe('the client disconnects before the first token: nothing, and the upstream is aborted', () => {
  test.each([
    { what: 'a stream', stream: true },
    { what: 'a whole answer', stream: false },
  ])('of $what', async ({ stream }) => {
    const fixture = await openRelay((exchange) => stream && startStream(exchange))
    const leaving = new AbortController()
    const answer = send({ ...fixture, body: ask(MODEL, { stream }), signal: leaving.signal }).catch(() => 'left')
    await expect.poll(() => fixture.upstream.seen.length).toBe(1)

    leaving.abort()

    expect(await answer).toBe('left')
    await expect.poll(() => fixture.upstream.seen[0]?.whole).toBe(false)
    await expectNoCharge(fixture)
  })
})

test('the client disconnects after the first token, CompleteAfterDisconnect is off: prompt and output so far, and the upstream is aborted', async () => {
  const fixture = await openRelay((exchange) => {
    startStream(exchange)
    exchange.response.write(event(say('One two three')))
  })
  await fixture.toolkit.options.set(fixture.root, 'CompleteAfterDisconnect', 'false')
  const leaving = new AbortController()
  const response = await send({ ...fixture, body: ask(MODEL, STREAM), signal: leaving.signal })
  await response.body?.getReader().read()

  leaving.abort()

  await expect.poll(() => fixture.upstream.seen[0]?.whole).toBe(false)
  const { other, ...log } = await theCharge(fixture)
  expect(log).toMatchObject({
    prompt_tokens: PROMPT_TOKENS,
    completion_tokens: tokensOf('One two three'),
    quota: priceOf(PROMPT_TOKENS, tokensOf('One two three')),
  })
  expect(other).toMatchObject({ incomplete: true, end_reason: 'client-gone' })
})

test('the gateway is stopped and a stream does not finish in the grace time: prompt and output so far', async () => {
  const fixture = await openTestRelay((exchange) => {
    startStream(exchange)
    exchange.response.write(event(say('One two three')))
  })
  const answer = fixture.chat(ask(MODEL, STREAM))
  await expect.poll(() => fixture.upstream.seen.length).toBe(1)
  await sleep(100)

  await fixture.gateway.close()

  expect(await answer).toMatchObject({ status: 200, complete: false })
  expect((await answer).events.at(-1)?.error).toMatchObject({ code: 'stopping' })
  const { other, ...log } = await theCharge(fixture)
  expect(log).toMatchObject({ completion_tokens: tokensOf('One two three') })
  expect(other).toMatchObject({ incomplete: true, end_reason: 'stopping' })
})
