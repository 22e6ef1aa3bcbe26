import { expect, test } from 'vitest'
import { classifyFailure } from '../../../core/channels/health/classify-failure.ts'
import { forwardedHeaders } from '../../../server/relay/admission/admission.ts'
import { type ClientRequest, requestEchoOf } from '../../../server/relay/attempt/request-echo.ts'
import { messagesFailure } from '../../../server/relay/providers/anthropic/anthropic.ts'
import { readFailure } from '../../../server/relay/providers/failure.ts'
import { ask } from '../../support/chat.ts'
import { MODEL, openTestRelay } from '../../support/gateway.ts'
import { type Exchange, event, say, sendJson, sendStream, startStream } from '../../support/hand-made-upstream.ts'
import { DISABLE_KEYWORDS } from '../../support/health.ts'

const PHRASE = 'Your credit balance is too low'
const echoOf = (request: Partial<ClientRequest>) => requestEchoOf({ body: {}, ...request }, ['gpt-5'])
const classOf = (message: string, request: Partial<ClientRequest>) =>
  classifyFailure(
    { status: 400, type: 'invalid_request_error', code: null, message },
    { type: 1, keywords: DISABLE_KEYWORDS, requestEcho: () => echoOf(request) },
  )

test.each<[string, Partial<ClientRequest>]>([
  ['a text with escapes', { body: JSON.parse('{"a":[{"b":"Your credit\\nbalance is too lo\\u0077"}]}') }],
  ['a name of a field', { body: { a: { [PHRASE]: 1 } } }],
  ['arguments of a call', { body: { arguments: '{"a":"Your\\u0020credit balance is too low"}' } }],
  ['a field of a form', { upload: { fields: [{ name: 'prompt', value: PHRASE }], files: [] } }],
  ['a name in a form', { upload: { fields: [{ name: PHRASE, value: '' }], files: [] } }],
  [
    'a name of a file',
    { upload: { fields: [], files: [{ field: 'file', filename: PHRASE, mime: '', bytes: 0 }] } as never },
  ],
  ['the query', { query: 'a=Your%20credit+balance%20is%20too%20low' }],
  ['a forwarded header', { headers: { 'anthropic-beta': `a, ${PHRASE}` } }],
  ['any header, which a channel may repeat', { clientHeaders: { 'x-own': PHRASE } }],
])('a phrase echoed from %s masks nothing', (_, request) => {
  const message = `Unexpected value(s) \`${PHRASE}\``
  expect(classOf(message, request)).toBe('request')
  expect(classOf(message, {})).toBe('account')
})

test.each<[boolean, boolean, Partial<ClientRequest>]>([
  [false, false, { headers: { 'anthropic-version': '2023-06-01', 'idempotency-key': 'i' } }],
  [true, false, { headers: { 'anthropic-beta': 'a' } }],
  [true, false, { headers: { 'x-dashscope-oss-resource-resolve': 'enable' } }],
  [true, false, { body: { anthropic_beta: ['a'] } }],
  [false, true, { body: { contents: [{ parts: [{ fileData: { fileUri: 'files/a' } }] }] } }],
  [false, true, { body: { cachedContent: 'cachedContents/a' } }],
  [false, true, { body: { image_url: 'https://generativelanguage.googleapis.com/v1beta/files/a' } }],
  [false, true, { body: { previous_response_id: 'resp_1' } }],
  [false, false, { body: { previous_response_id: null, image_url: 'https://pictures.example/a' } }],
])(
  'headers are checked: %s, a stored value is named: %s, of %j',
  (hasPermissionHeaders, namesStoredObject, request) => {
    expect(echoOf(request)).toMatchObject({ hasPermissionHeaders, namesStoredObject })
  },
)

test('the model name is not checked in the model field, and is checked as text elsewhere', () => {
  expect(echoOf({ body: { model: 'gpt-5' }, query: 'model=gpt-5' }).texts).toEqual(['model=gpt-5'])
  expect(echoOf({ body: { model: 'gpt-5', user: 'gpt-5' } }).texts).toEqual(['gpt-5'])
})

test('headers that choose an operator account are dropped', () => {
  const headers = {
    'openai-project': 'p',
    'x-goog-user-project': 'p',
    'x-dashscope-workspace': 'w',
    'x-dashscope-sse': 'enable',
    'openai-beta': 'b',
  }
  expect(forwardedHeaders({ headers } as never, { user: { id: 1 }, token: { memberId: 0 } } as never)).toEqual({
    'x-dashscope-sse': 'enable',
    'openai-beta': 'b',
  })
})

test('an empty account at Anthropic is recognized by its whole sentence, unless the client wrote it', () => {
  const failed = (message: string) => messagesFailure(400, JSON.stringify({ type: 'error', error: { message } }))
  const sentence = `${PHRASE} to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.`
  const failure = failed(sentence)
  const classWith = (text: string) =>
    classifyFailure(failure, { type: 14, keywords: '', requestEcho: () => echoOf({ body: { system: text } }) })

  expect(failure).toMatchObject({ status: 402, retry: 'other-channel' })
  expect(classWith('hello')).toBe('account')
  expect(classWith(sentence)).toBe('request')
  expect(failed(`Unexpected value(s) \`${sentence}\``)).toMatchObject({ status: 400, retry: 'never' })
})

test.each([
  ['never', 500, { type: 'invalid_request_error' }],
  ['never', 403, { code: 'content_filter' }],
  ['other-channel', 401, { type: 'invalid_request_error', code: 'invalid_api_key' }],
  ['other-channel', 404, { type: 'invalid_request_error', code: 'model_not_found' }],
] as const)('another channel is used %s after %i %j', (retry, status, error) => {
  expect(readFailure(status, JSON.stringify({ error: { message: 'No', ...error } })).retry).toBe(retry)
})

test('failures caused by clients disable no channel, at any stage of the relay', async () => {
  const now: { answer: (exchange: Exchange) => unknown } = { answer: () => undefined }
  const fixture = await openTestRelay((exchange) => now.answer(exchange), { channel: { models: `${MODEL},other` } })
  const stream = ask(MODEL, { stream: true })
  const circuits = async () => (await fixture.toolkit.channels.healthOf(fixture.root, fixture.servedBy.id)).circuits
  const breaks = (error: object) => (exchange: Exchange) => {
    startStream(exchange)
    exchange.response.end(event(say('hello')) + event({ error }))
  }
  /** Asks so often that anything but the client's fault would open a circuit. */
  const statusesFor = async (answer: (exchange: Exchange) => unknown, call = {}, body: unknown = ask(MODEL)) => {
    now.answer = answer
    const before = fixture.upstream.seen.length
    const answers = await Promise.all(Array.from({ length: 10 }, () => fixture.chat(body, call)))
    answers.push(await fixture.chat(body, call))
    expect(fixture.upstream.seen.length - before).toBe(11)
    return [...new Set(answers.map(({ status }) => status))]
  }
  const echoes = (exchange: Exchange) =>
    sendJson(exchange, { error: { message: `Unexpected value(s): ${exchange.headers['anthropic-beta']}` } }, 400)
  const FILTERED = { message: 'Not that', type: 'content_policy_violation' }

  expect(await statusesFor(echoes, { headers: { 'anthropic-beta': PHRASE } })).toEqual([400])
  expect(await statusesFor((exchange) => sendJson(exchange, { error: FILTERED }, 500))).toEqual([500])
  expect(await statusesFor((exchange) => sendJson(exchange, { error: FILTERED }, 200))).toEqual([400])
  expect(await statusesFor((exchange) => sendStream(exchange, [{ error: FILTERED }]), {}, stream)).toEqual([400])
  expect(await statusesFor(breaks({ message: 'No', type: 'invalid_request_error' }), {}, stream)).toEqual([200])

  now.answer = breaks({ message: 'No more', type: 'insufficient_quota' })
  await Promise.all(Array.from({ length: 5 }, () => fixture.chat(stream)))
  await expect
    .poll(circuits, { timeout: 10_000 })
    .toMatchObject([{ scope: 'channel', class: 'account', reason: expect.stringContaining('No more') }])
  await expect.poll(async () => (await fixture.chat(stream)).status, { timeout: 10_000 }).toBe(503)
})
