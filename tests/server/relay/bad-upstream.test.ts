import { describe, expect, test } from 'vitest'
import { expectExactBooks, expectNothingHeld } from '../../support/books.ts'
import { type Answer, ask, expectRefusal } from '../../support/chat.ts'
import { CHANNEL_KEY, MODEL, type RelayOptions, type TestRelay } from '../../support/gateway.ts'
import { type Exchange, event, say, sendJson, sendStream, startStream } from '../../support/hand-made-upstream.ts'
import { reusedRelay } from '../../support/reused.ts'
import { freePort } from '../../support/server-process.ts'

const openRelay = reusedRelay()

const STREAM = ask(MODEL, { stream: true })
const open = (answer: (exchange: Exchange) => unknown, options: RelayOptions = {}) => openRelay(answer, options)

/** What no client may ever read. */
function expectNoSecrets({ text, headers }: Answer, fixture: TestRelay) {
  const all = text + JSON.stringify([...headers])
  expect(all).not.toContain(CHANNEL_KEY)
  expect(all).not.toContain(new URL(fixture.upstream.url).host)
  expect(all).not.toContain('127.0.0.1')
}

async function expectUncharged(fixture: TestRelay) {
  await expectNothingHeld(fixture)
  expect(await expectExactBooks(fixture)).toEqual([])
}

describe("an upstream failure is an error in OpenAI's format, and costs nothing", () => {
  test('it refuses the connection', async () => {
    const fixture = await open(() => {}, { channel: { base_url: `http://127.0.0.1:${await freePort()}` } })

    const answer = await fixture.chat(ask(MODEL))

    expectRefusal(answer, { status: 502, code: 'do_request_failed' })
    expectNoSecrets(answer, fixture)
    await expectUncharged(fixture)
  })

  test('its name does not exist', async () => {
    const fixture = await open(() => {}, { channel: { base_url: 'http://upstream.invalid' } })

    const answer = await fixture.chat(ask(MODEL))

    expect(answer.status).toBe(502)
    expect(answer.text).not.toContain('upstream.invalid')
    await expectUncharged(fixture)
  })

  test.each([true, false])('it hangs, stream: %s', async (stream) => {
    const fixture = await open(() => {}, { settings: { RELAY_TIMEOUT: '1' } })

    const answer = await fixture.chat(ask(MODEL, { stream }))

    expectRefusal(answer, { status: 504, code: 'upstream_timeout' })
    await expectUncharged(fixture)
    await expect.poll(() => fixture.upstream.seen[0]?.whole).toBe(false)
  })

  const answers: Record<string, { answer: (exchange: Exchange) => void; status: number }> = {
    'a page of HTML with 200': {
      answer: (exchange) => sendJson(exchange, '<html>Welcome</html>', 200, { 'content-type': 'text/html' }),
      status: 502,
    },
    'a page of HTML with 503': {
      answer: (exchange) => sendJson(exchange, '<html>Down</html>', 503, { 'content-type': 'text/html' }),
      status: 503,
    },
    'nothing at all with 200': { answer: (exchange) => sendJson(exchange, ''), status: 502 },
    'a list': { answer: (exchange) => sendJson(exchange, '[1]'), status: 502 },
    'an error with 200': {
      answer: (exchange) => sendJson(exchange, { error: { message: 'no', code: 'c' } }),
      status: 502,
    },
    'a redirect': {
      answer: (exchange) => sendJson(exchange, '', 302, { location: 'http://127.0.0.1:1/' }),
      status: 502,
    },
    'a 204': { answer: ({ response }) => void response.writeHead(204).end(), status: 502 },
    'what is not HTTP': { answer: ({ response }) => void response.socket?.end('garbage\r\n\r\n'), status: 502 },
  }
  test.each(Object.entries(answers))('it returns %s', async (_, { answer, status }) => {
    const fixture = await open(answer)

    for (const body of [ask(MODEL), STREAM]) {
      const got = await fixture.chat(body)
      expect(got.status).toBe(status)
      expect(got.json.error).toMatchObject({
        message: expect.stringContaining(got.requestId),
        type: expect.any(String),
      })
      expectNoSecrets(got, fixture)
    }
    await expectUncharged(fixture)
  })

  test("the gateway's own message is in the client's language", async () => {
    const fixture = await open(answers['a page of HTML with 200']?.answer ?? (() => {}))
    const messageIn = async (language: string) => {
      const { json } = await fixture.chat(ask(MODEL), { headers: { 'accept-language': language } })
      return json.error?.message
    }

    expect(await messageIn('en')).toMatch(/^The upstream answered text\/html instead of JSON \(request id: /)
    expect(await messageIn('zh-CN')).toMatch(/^上游返回的是 text\/html，而不是 JSON \(request id: /)
  })

  test("it breaks off a stream: the last event is in the client's language", async () => {
    const fixture = await open((exchange) => sendStream(exchange, [say('hello')], ''))

    const { events } = await fixture.chat(STREAM, { headers: { 'accept-language': 'zh-CN' } })

    expect(events.at(-1)?.error?.message).toMatch(/^上游中断了响应 \(request id: /)
  })

  test('its error contains its key and its address: the client gets neither', async () => {
    const fixture = await open((exchange) =>
      sendJson(
        exchange,
        {
          error: {
            message: `Incorrect API key ${CHANNEL_KEY} at http://127.0.0.1:8080/v1, see 10.20.30.40:99`,
            type: 'auth',
          },
        },
        401,
      ),
    )

    const answer = await fixture.chat(ask(MODEL))

    expect(answer.status).toBe(401)
    expect(answer.json.error?.message).toContain('Incorrect API key ***')
    expectNoSecrets(answer, fixture)
    expect(answer.text).not.toContain('10.20.30.40')
  })

  test('its error repeats its key in the type, the code or the param: the client does not get it', async () => {
    const fixture = await open((exchange) =>
      sendJson(
        exchange,
        {
          error: {
            message: 'no',
            type: `bad ${CHANNEL_KEY}`,
            code: CHANNEL_KEY,
            param: `http://127.0.0.1:80/${CHANNEL_KEY}`,
          },
        },
        401,
      ),
    )

    expectNoSecrets(await fixture.chat(ask(MODEL)), fixture)
  })

  test('an error in the middle of a stream contains its key and its address: the client gets neither', async () => {
    const fixture = await open((exchange) => {
      startStream(exchange)
      exchange.response.write(event(say('hi')))
      setTimeout(() => exchange.response.end(event({ error: { message: `${CHANNEL_KEY} http://127.0.0.1:1/x` } })), 50)
    })

    const answer = await fixture.chat(STREAM)

    expect(answer.events.at(-1)?.error?.message).toContain('***')
    expectNoSecrets(answer, fixture)
  })

  test('an endless error body is read up to a limit', async () => {
    const fixture = await open(({ response }) => {
      response.writeHead(500, { 'content-type': 'application/json' })
      const timer = setInterval(() => response.write('x'.repeat(64 * 1024)), 1)
      response.once('close', () => clearInterval(timer))
    })

    expect((await fixture.chat(ask(MODEL))).status).toBe(500)
    await expect.poll(() => fixture.upstream.seen[0]?.whole).toBe(false)
  })
})
