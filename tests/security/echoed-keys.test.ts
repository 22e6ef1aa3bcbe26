import { Writable } from 'node:stream'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { createFailure, readFailure, toClientFailure, withoutSecrets } from '../../server/relay/providers/failure.ts'
import { openApi } from '../support/api.ts'
import { MODEL, openTestGateway, openTestRelay } from '../support/gateway.ts'
import { completion, type Exchange, sendJson, usage } from '../support/hand-made-upstream.ts'

const CORE = 'Zx9Qw8Er7Ty6Ui5Op4As3Df2Gh1Jk0Lm'
const KEY = `sk-proj-${CORE}`

const hex = (text: string) => Buffer.from(text).toString('hex')
const base64 = (text: string) => Buffer.from(text).toString('base64')
const url = (text: string) => text.replace(/./g, (letter) => `%${hex(letter)}`)
const json = (text: string) => text.replace(/./g, (letter) => `\\u00${hex(letter)}`)
const backwards = (text: string) => [...text].reverse().join('')
const mixed = (text: string) => [...text].map((letter, at) => (at % 2 ? letter : `%${hex(letter)}`)).join('')

/** How an upstream may write a key. */
const ENCODINGS: Record<string, (key: string) => string> = {
  plain: (key) => key,
  'without its prefix': () => CORE,
  'with half of its prefix': () => `proj-${CORE}`,
  'behind a word': (key) => `Bearer ${key}`,
  'in upper case': (key) => key.toUpperCase(),
  base64,
  'base64 of the end': () => base64(CORE),
  'base64 behind one letter': (key) => base64(`x${key}`),
  'base64 behind two letters': (key) => base64(`xy${key}`),
  'base64 of a header': (key) => base64(`authorization: Bearer ${key}\r\n`),
  'base64 without padding': (key) => base64(`${key}1`).replaceAll('=', ''),
  'base64 against a letter': (key) => `x${base64(key)}`,
  'base64 in lines': (key) => base64(key).replace(/.{20}/g, '$&\r\n'),
  'base64 of two bytes for a letter': (key) => Buffer.from(key, 'utf16le').toString('base64'),
  base64url: (key) => Buffer.from(`${key}??>>~~`).toString('base64url'),
  hex,
  'hex in upper case': (key) => hex(key).toUpperCase(),
  'hex in both cases': (key) => hex(key).replace(/[a-f]/, (letter) => letter.toUpperCase()),
  'hex with blanks': (key) => hex(key).replace(/../g, '$& '),
  'hex with colons': (key) => hex(key).replace(/..(?=.)/g, '$&:'),
  'hex as in C': (key) => hex(key).replace(/../g, '\\x$&'),
  'hex against a digit': (key) => `a${hex(key)}`,
  url,
  'url in upper case': (key) => url(key).toUpperCase(),
  'url in part': mixed,
  'url of url': (key) => encodeURIComponent(url(key)),
  'url of base64': (key) => encodeURIComponent(base64(`${key}~~~`)),
  json,
  'json of json': (key) => JSON.stringify(JSON.stringify(json(key))),
  'numbers of HTML': (key) => key.replace(/./g, (letter) => `&#${letter.charCodeAt(0)};`),
  'hex of base64': (key) => hex(base64(key)),
  'base64 of hex': (key) => base64(hex(key)),
  'base64 of base64': (key) => base64(base64(key)),
  backwards,
  'backwards, without its prefix': () => backwards(CORE),
  'base64 of backwards': (key) => base64(backwards(key)),
  'hex of backwards': (key) => hex(backwards(key)),
  'url of backwards': (key) => url(backwards(key)),
}

describe.each(Object.entries(ENCODINGS))('a key that an upstream echoes: %s', (_, encode) => {
  test.each([
    ['alone', (echo: string) => echo],
    ['in a sentence', (echo: string) => `Incorrect API key provided: ${echo}. You can find it there.`],
    ['in JSON', (echo: string) => JSON.stringify({ headers: { authorization: echo } })],
    ['in a query', (echo: string) => `GET /v1/models?key=${echo}&page=1`],
  ])('is masked %s', (__, around) => {
    const echo = encode(KEY)
    const message = withoutSecrets(around(echo), { key: KEY })
    expect(message).toContain('***')
    expect(piecesOf(echo).filter((piece) => message.includes(piece))).toEqual([])
  })

  test('is masked in each field of an error', () => {
    const echo = encode(KEY)
    for (const field of ['message', 'type', 'param', 'code']) {
      const failure = readFailure(400, JSON.stringify({ error: { message: 'no', [field]: `at ${echo}.` } }))
      const message = JSON.stringify(toClientFailure(failure, { key: KEY, statusCodeMapping: {} } as never))
      expect(message, field).toContain('***')
      expect(
        piecesOf(JSON.stringify(echo).slice(1, -1)).filter((piece) => message.includes(piece)),
        field,
      ).toEqual([])
    }
  })

  test('is masked if it is repeated up to the truncation point', () => {
    const echo = encode(KEY)
    for (let before = 0; before < echo.length; before += 7) {
      const long = createFailure(500, `${'-'.repeat(before)}${`${echo} `.repeat(Math.ceil(5000 / echo.length))}`)
      const { message } = toClientFailure(long, { key: KEY, statusCodeMapping: {} } as never)
      expect(piecesOf(echo).filter((piece) => message.includes(piece))).toEqual([])
    }
  })

  test('is masked if the truncation splits it', () => {
    const echo = encode(KEY)
    const long = createFailure(500, `${'a '.repeat(1000).slice(0, 1980)}${echo}`)
    const { message } = toClientFailure(long, { key: KEY, statusCodeMapping: {} } as never)
    expect(piecesOf(echo).filter((piece) => message.includes(piece))).toEqual([])
  })
})

/** Parts of an echo that would tell too much. */
function piecesOf(echo: string): string[] {
  return Array.from({ length: Math.max(echo.length - 12, 1) }, (_, at) => echo.slice(at, at + 12)).filter(
    (piece) => !/bearer|authoriz/i.test(piece),
  )
}

test('other keys of a channel are masked: its further keys, those in its headers, and parts of a document', () => {
  const document = JSON.stringify({
    type: 'service_account',
    client_id: '1',
    private_key: `-----BEGIN PRIVATE KEY-----\n${CORE}${CORE}\n-----END PRIVATE KEY-----\n`,
  })
  const line = `${CORE}${CORE}`
  for (const echo of [line, base64(document), hex(line)]) {
    expect(withoutSecrets(`not ${echo} there`, { key: document })).toBe('not *** there')
  }
  const settings = { headerOverride: { 'x-gateway-key': CORE, 'x-team': 'the-blue-team-of-ours' } } as never
  expect(withoutSecrets(`${base64(CORE)} the-blue-team-of-ours`, { key: KEY, settings })).toBe(
    '*** the-blue-team-of-ours',
  )
})

test('words similar to parts of keys are kept', () => {
  const message =
    'The model gpt-4o-mini-transcribe is not available in region us-east-1; request 0123456789abcdef0123456789abcdef'
  expect(withoutSecrets(message, { key: KEY })).toBe(message)
})

test('a long message is masked in time', () => {
  const texts = [
    'A'.repeat(2000),
    'ab'.repeat(1000),
    '%41'.repeat(666),
    'a1 '.repeat(666),
    base64(base64('x'.repeat(1100))),
    // Empty lines, as error pages have them.
    `Bad gateway: not found${'\n'.repeat(60)}<hr>`,
    `Bad gateway: not found${'\r\n  '.repeat(300)}<hr>`,
    // The code or the type of an error can be long, too.
    'a.'.repeat(100_000),
    `error ${'\\n'.repeat(100_000)}`,
  ]
  for (const text of texts) {
    const began = performance.now()
    withoutSecrets(text, {
      key: KEY,
      ring: { texts: Array.from({ length: 500 }, (_, n) => `sk-${n}-${CORE}`) } as never,
    })
    expect(performance.now() - began).toBeLessThan(500)
  }
})

/** What an upstream answers that echoes its key in each way, at each place of an error. */
function echoing({ response, headers, path }: Exchange, status: number, from = 0): void {
  const [, key = ''] = String(headers.authorization).split(' ')
  const echoes = Object.values(ENCODINGS).map((encode) => encode(key))
  if (path.endsWith('/speech')) {
    response.writeHead(200, { 'content-type': `audio/mpeg; key=${key}; hex=${hex(key)}` })
    response.end('sound')
    return
  }
  const error = {
    message: echoes.slice(from, from + 8).join(' | '),
    type: base64(key),
    code: hex(key),
    param: `${key} ${backwards(key)}`,
  }
  sendJson({ response } as Exchange, { error }, status, {
    'x-echo': key,
    'retry-after': '1',
    'x-request-id': base64(key),
  })
}

describe('an upstream that echoes the key', () => {
  /** No place may have the key in any way. */
  function expectClean(text: string): void {
    for (const encode of Object.values(ENCODINGS)) {
      for (const piece of piecesOf(encode(KEY))) expect(text).not.toContain(piece)
    }
  }

  test.each([400, 401, 403, 500])('does not reach the client with status %i, nor the log', async (status) => {
    const lines: string[] = []
    const stream = new Writable({
      write(chunk, _, done) {
        lines.push(String(chunk))
        done()
      },
    })
    let from = 0
    const relay = await openTestRelay((exchange) => echoing(exchange, status, from), {
      channel: { key: KEY },
      gateway: (options) => openTestGateway({ ...options, logger: pino({ level: 'trace' }, stream) }),
    })
    const paths = ['/v1/chat/completions', '/v1/messages', '/v1/embeddings', '/v1/responses', '/v1/completions']
    for (const [at, path] of paths.entries()) {
      from = at * 8
      const body = {
        model: MODEL,
        max_tokens: 5,
        messages: [{ role: 'user', content: 'x' }],
        input: 'x',
        prompt: 'x',
      }
      const answer = await relay.chat(body, { path })
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expectClean(answer.text + JSON.stringify([...answer.headers]))
    }
    expect(lines.length).toBeGreaterThan(0)
    expectClean(lines.join(''))
    expect(relay.upstream.seen.length).toBeGreaterThan(0)
  })

  test('does not reach the client in a stream, in a header, or in the reply of a channel test', async () => {
    const relay = await openTestRelay(
      (exchange) => {
        if (exchange.body.stream !== true) return echoing(exchange, 401)
        const { response, headers } = exchange
        response.writeHead(200, { 'content-type': 'text/event-stream', 'x-echo': String(headers.authorization) })
        response.write('data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n')
        const message = `${hex(KEY)} ${base64(KEY)} ${CORE}`
        response.end(`data: ${JSON.stringify({ error: { message, code: base64(KEY) } })}\n\n`)
      },
      { channel: { key: KEY } },
    )
    const streamed = await relay.chat({ model: MODEL, stream: true, messages: [{ role: 'user', content: 'x' }] })
    expect(streamed.text).toContain('Hi')
    expectClean(streamed.text + JSON.stringify([...streamed.headers]))

    const spoken = await relay.chat({ model: MODEL, input: 'x', voice: 'alloy' }, { path: '/v1/audio/speech' })
    expect(spoken.text).toBe('sound')
    expectClean(JSON.stringify([...spoken.headers]))

    const admin = await openApi(relay).as(relay.root)
    const tested = await admin.get(`/api/channel/test/${relay.servedBy.id}?model=${MODEL}`)
    expect(tested.body.success).toBe(false)
    expectClean(tested.text)
  })

  test('does not reach the client in a header of the limits of an upstream', async () => {
    const good = { 'x-ratelimit-remaining-requests': '59', 'x-ratelimit-reset-requests': '6m0.5s' }
    const date = { 'anthropic-ratelimit-tokens-reset': '2026-01-02T03:04:05Z' }
    const relay = await openTestRelay(
      (exchange) =>
        sendJson(exchange, completion('Hi', usage(1, 1)), 200, {
          ...good,
          ...date,
          'x-ratelimit-limit-requests': KEY,
          'openai-processing-ms': hex(KEY),
          [`x-ratelimit-${KEY}`]: '1',
        }),
      { channel: { key: KEY } },
    )
    for (const stream of [false, true]) {
      const { headers } = await relay.chat({ model: MODEL, stream, messages: [{ role: 'user', content: 'x' }] })
      expectClean(JSON.stringify([...headers]))
      if (!stream) expect(Object.fromEntries(headers)).toMatchObject({ ...good, ...date })
    }
  })

  test('does not reach the client in a successful reply either', async () => {
    const relay = await openTestRelay(
      ({ response, headers }) => {
        const credential = String(headers.authorization)
        const choices = [{ index: 0, message: { role: 'assistant', content: credential }, finish_reason: 'stop' }]
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(
          JSON.stringify({
            choices,
            data: [{ embedding: [1] }],
            results: [{ flagged: false }],
            usage: { prompt_tokens: 1, completion_tokens: 1 },
          }),
        )
      },
      { channel: { key: KEY } },
    )
    const body = { model: MODEL, max_tokens: 5, messages: [{ role: 'user', content: 'x' }], input: 'x', voice: 'alloy' }
    for (const path of [
      '/v1/chat/completions',
      '/v1/messages',
      '/v1/embeddings',
      '/v1/moderations',
      '/v1/audio/speech',
    ]) {
      const { status, text } = await relay.chat(body, { path })
      expect(status).toBe(200)
      expect(text).not.toContain(KEY)
    }
  })
})
