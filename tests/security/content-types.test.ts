import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { MODEL, openTestRelay } from '../support/gateway.ts'
import { completion, type Exchange, sendJson, sendStream, usage } from '../support/hand-made-upstream.ts'
import { shared } from '../support/lifetime.ts'
import { rawRequest } from '../support/raw-request.ts'

const SCRIPT = '<script>fetch("/api/user/token")</script>'
const INERT = { 'x-content-type-options': 'nosniff', 'content-security-policy': "sandbox; default-src 'none'" }
const DOWNLOAD = { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' }
/** Which type the upstream declares for its next reply. */
let declared: string | undefined

const fixture = shared(() =>
  openTestRelay((exchange: Exchange) => {
    if (exchange.body.stream === true) return sendStream(exchange, [completion('ok', usage(5, 5))])
    if (declared === undefined) return sendJson(exchange, completion('ok', usage(5, 5)))
    exchange.response.writeHead(200, { 'content-type': declared })
    exchange.response.end(SCRIPT)
  }),
)

function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const { url, key } = fixture()
  const authorization = `Bearer ${key}`
  return rawRequest(url + path, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

const speak = (headers?: Record<string, string>) =>
  post('/v1/audio/speech', { model: MODEL, input: 'hello', voice: 'alloy' }, headers)

async function transcribe() {
  const form = new FormData()
  form.append('model', MODEL)
  form.append('response_format', 'text')
  form.append('file', new Blob([new Uint8Array(1000)]), 'speech.webm')
  const { url, key } = fixture()
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form })
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
}

describe("an upstream's content type that could run on our origin is replaced", () => {
  test.each([
    'text/html',
    'TEXT/HTML; charset=utf-8',
    ' text/html',
    'image/svg+xml',
    'text/xml',
    'application/xml',
    'application/xhtml+xml',
    'application/xslt+xml',
    'multipart/x-mixed-replace; boundary=x',
    'text/javascript',
    'application/javascript',
    'text/css',
    'application/pdf',
    'application/x-shockwave-flash',
    'message/rfc822',
    // Of several types a browser takes the last.
    'audio/mpeg, text/html',
    'audio/mpeg; x="a, text/html',
    'audio/mpeg text/html',
    'audio/',
    'audio/*',
    // Documents with scripts, with any prefix before the suffix.
    'audio/svg+xml',
    'audio/xhtml+xml; charset=utf-8',
    'text/html; audio/mpeg',
    'video/mp4',
    'text/plain',
    '*/*',
    'nonsense',
    '',
  ])('of speech: %j', async (type) => {
    declared = type
    const { status, headers, text } = await speak()
    const own = type.startsWith('audio/mpeg;') ? { 'content-type': 'audio/mpeg' } : DOWNLOAD
    expect({ status, headers, text }).toMatchObject({ status: 200, headers: { ...INERT, ...own }, text: SCRIPT })
  })

  test.each(['text/html', 'image/svg+xml', 'audio/mpeg', 'text/vtt, text/html'])(
    'of transcriptions: %j',
    async (type) => {
      declared = type
      expect(await transcribe()).toMatchObject({ status: 200, headers: { ...INERT, ...DOWNLOAD }, text: SCRIPT })
    },
  )

  test('of a reply repeated by an idempotency key, too', async () => {
    declared = 'text/html'
    const key = { 'idempotency-key': 'repeated' }
    const [first, again] = [await speak(key), await speak(key)]
    expect(again.headers['idempotent-replayed']).toBe('true')
    for (const { headers } of [first, again]) expect(headers).toMatchObject({ ...INERT, ...DOWNLOAD })
  })
})

describe('a type that the operation can produce passes', () => {
  test.each(['audio/mpeg', 'audio/wav; codecs=1', 'audio/L16;rate=24000;channels=1', 'application/octet-stream'])(
    'of speech: %s',
    async (type) => {
      declared = type
      const { headers } = await speak()
      expect(headers).toMatchObject({ ...INERT, 'content-type': type.replace('L16', 'l16') })
      expect(headers['content-disposition']).toBeUndefined()
    },
  )

  test.each(['text/plain; charset=utf-8', 'text/vtt', 'application/x-subrip'])(
    'of transcriptions: %s',
    async (type) => {
      declared = type
      const { headers } = await transcribe()
      expect(headers).toMatchObject({ ...INERT, 'content-type': type })
      expect(headers).not.toHaveProperty('content-disposition')
    },
  )
})

describe('every reply of the relay is inert', () => {
  test.each<[title: string, ask: () => Promise<{ headers: object }>]>([
    ['a whole one', () => post('/v1/chat/completions', { model: MODEL, messages: [{ role: 'user', content: 'a' }] })],
    [
      'a stream',
      () => post('/v1/chat/completions', { model: MODEL, stream: true, messages: [{ role: 'user', content: 'a' }] }),
    ],
    ['a refusal', () => post('/v1/chat/completions', { model: `<b>${MODEL}`, messages: [] })],
    [
      'a list of models',
      () => rawRequest(`${fixture().url}/v1/models`, { headers: { authorization: `Bearer ${fixture().key}` } }),
    ],
    ['a refused list', () => rawRequest(`${fixture().url}/v1/models`)],
    ['a count of tokens', () => post('/v1/messages/count_tokens', { model: MODEL, messages: [] })],
    ['a drawing', () => rawRequest(`${fixture().url}/mj/task/x/fetch`)],
    ['a piece of music', () => rawRequest(`${fixture().url}/suno/fetch/x`)],
    ['the playground', () => post('/pg/chat/completions', {})],
    ['an unknown path', () => rawRequest(`${fixture().url}/v1/%3Cscript%3E`)],
    ['an unknown path that is posted to', () => post('/v1/nothing', {})],
    ['a path that cannot be read', () => rawRequest(`${fixture().url}/v1/%ff`)],
  ])('%s', async (_, ask) => {
    declared = undefined
    const { headers } = await ask()
    expect(headers).toMatchObject({
      ...INERT,
      'content-type': expect.stringMatching(/^(application\/json|text\/event-stream)/),
    })
  })
})

describe('a page of a browser', () => {
  const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' }

  test.each([
    ['POST', '/v1/audio/speech'],
    ['POST', '/v1/chat/completions'],
    ['POST', '/v1/audio/transcriptions'],
    ['POST', '/v1beta/models/a:generateContent'],
    ['GET', '/v1/models'],
    ['GET', '/mj/task/x/fetch'],
    ['POST', '/mj/submit/imagine'],
    ['POST', '/suno/submit/music'],
    ['POST', '/pg/chat/completions'],
  ])('cannot be sent to the relay by a link or a form: %s %s', async (method, path) => {
    const { url, key, upstream } = fixture()
    declared = 'text/html'
    const asked = upstream.seen.length
    const headers = { ...navigation, 'content-type': 'text/plain' }
    const body = JSON.stringify({ model: MODEL, input: 'x', voice: 'a', messages: [{ role: 'user', content: 'a' }] })
    const answer = await rawRequest(`${url}${path}?key=${key}`, { method, headers, ...(method === 'POST' && { body }) })
    expect(answer).toMatchObject({ status: 403, headers: INERT })
    expect(answer.text).toMatch(/a browser cannot open it as a page|request_navigation/i)
    expect(upstream.seen).toHaveLength(asked)
  })

  test('is also recognized by the older name of a frame navigation', async () => {
    const { url, key } = fixture()
    const headers = { authorization: `Bearer ${key}`, 'sec-fetch-mode': 'nested-navigate' }
    expect((await rawRequest(`${url}/v1/models`, { headers })).status).toBe(403)
  })

  test('may follow a link to a picture', async () => {
    const { status, text } = await rawRequest(`${fixture().url}/mj/image/x`, { headers: navigation })
    expect([status, text]).toEqual([400, '{"error":"midjourney_task_not_found"}'])
  })
})

test('no other file of the relay writes reply headers', () => {
  const folder = new URL('../../server/relay/', import.meta.url)
  const writers = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .filter((path) => /\.writeHead\(/.test(readFileSync(new URL(path, folder), 'utf8')))
  expect(writers).toEqual(['delivery/reply-head.ts'])
})
