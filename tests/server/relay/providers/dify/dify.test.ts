import { describe, expect, test } from 'vitest'
import type { Conversation, Part, Turn } from '../../../../../server/relay/conversation/conversation.ts'
import { dify } from '../../../../../server/relay/providers/dify/dify.ts'
import type { ProviderContext, ProviderRequest } from '../../../../../server/relay/providers/provider.ts'
import { askFor, contextWith, liveChannel } from '../../../../support/ask.ts'

const says = (role: Turn['role'], ...parts: (string | Part)[]): Turn => ({
  role,
  parts: parts.map((part) => (typeof part === 'string' ? { kind: 'text', text: part } : part)),
})
const talk = (turns: Turn[], more: Partial<Conversation> = {}): Conversation => ({
  turns,
  tools: [],
  extras: {},
  ...more,
})
const IMAGE: Part = { kind: 'image', media: { url: 'https://pictures.example/a.png' } }
const INLINE: Part = { kind: 'image', media: { data: Buffer.from('png bytes').toString('base64'), mime: 'image/png' } }

async function plan(
  conversation: Conversation,
  {
    other = '',
    baseUrl,
    context,
    ...ask
  }: Partial<ProviderRequest> & { other?: string; baseUrl?: string; context?: Partial<ProviderContext> } = {},
) {
  const channel = liveChannel(37, { other, ...(baseUrl && { baseUrl }) })
  return await dify.plan(askFor({ ...ask, conversation }), channel, contextWith(context))
}

async function bodyOf(conversation: Conversation, options?: Parameters<typeof plan>[1]) {
  const { request } = await plan(conversation, options)
  return JSON.parse(String(request.body)) as Record<string, unknown>
}

test('a single question is sent alone, with the fields of a new conversation', async () => {
  const { request } = await plan(talk([says('user', 'Hi', 'there')]))

  expect(request.url).toBe('https://api.dify.ai/v1/chat-messages')
  expect(request.headers).toMatchObject({
    authorization: 'Bearer sk-channel-key-1234567890',
    accept: 'application/json',
  })
  expect(JSON.parse(String(request.body))).toEqual({
    inputs: {},
    query: 'Hi\nthere',
    response_mode: 'blocking',
    user: 'api-user',
    conversation_id: '',
    files: [],
    auto_generate_name: false,
  })
})

test('a longer conversation is one text with speakers, calls and results included', async () => {
  const turns = [
    says('system', 'Be brief.'),
    says('user', 'Weather?'),
    says('assistant', 'I look.', { kind: 'call', id: 'c1', name: 'weather', arguments: '{"city":"Rome"}' }),
    says('user', { kind: 'result', callId: 'c1', name: 'weather', parts: [{ kind: 'text', text: 'Sun' }] }, 'Well?'),
    says('system', 'Be kind.'),
  ]
  expect((await bodyOf(talk(turns))).query).toBe(
    'SYSTEM: \nBe brief.\nUSER: \nWeather?\nASSISTANT: \nI look.\n[weather was called with {"city":"Rome"}]\n' +
      'USER: \n[weather answered] Sun\nWell?\nSYSTEM: \nBe kind.\n',
  )
})

test('the user and the inputs of the app are the client’s', async () => {
  const body = await bodyOf(talk([says('user', 'Hi')], { user: 'ann', extras: { inputs: { tone: 'dry' } } }))
  expect(body).toMatchObject({ user: 'ann', inputs: { tone: 'dry' } })
})

test.each([
  ['', 'https://api.dify.ai/v1/chat-messages'],
  ['chat', 'https://api.dify.ai/v1/chat-messages'],
  [' Agent ', 'https://api.dify.ai/v1/chat-messages'],
  ['completion', 'https://api.dify.ai/v1/completion-messages'],
  ['workflow', 'https://api.dify.ai/v1/workflows/run'],
])('an app of kind %j is called at %s', async (other, url) => {
  expect((await plan(talk([says('user', 'Hi')]), { other })).request.url).toBe(url)
})

test('the address may end with its version or not', async () => {
  const { request } = await plan(talk([says('user', 'Hi')]), { baseUrl: 'http://dify.example/v1' })
  expect(request.url).toBe('http://dify.example/v1/chat-messages')
})

test.each(['completion', 'workflow'])('an app of kind %s gets the question in its inputs', async (other) => {
  const body = await bodyOf(talk([says('user', 'Hi')], { extras: { inputs: { tone: 'dry' } } }), { other })
  expect(body).toEqual({ inputs: { query: 'Hi', tone: 'dry' }, user: 'api-user', files: [], response_mode: 'blocking' })
})

test('an agent always streams', async () => {
  expect(await bodyOf(talk([says('user', 'Hi')]), { other: 'agent' })).toMatchObject({ response_mode: 'streaming' })
  expect(await bodyOf(talk([says('user', 'Hi')]), { stream: true })).toMatchObject({ response_mode: 'streaming' })
})

describe('files', () => {
  test('with a URL are named, those with bytes are uploaded first', async () => {
    const uploads: { url: string; form: string; headers: Record<string, string> }[] = []
    const call: ProviderContext['call'] = async ({ url, headers, body }) => {
      uploads.push({ url, headers, form: String(body) })
      return { status: 201, headers: {}, body: Buffer.from('{"id":"file-1"}') }
    }
    const document: Part = { kind: 'file', name: 'a.pdf', media: { url: 'https://files.example/a.pdf' } }

    const body = await bodyOf(talk([says('user', 'Look', IMAGE, INLINE, document)], { user: 'ann' }), {
      context: { call },
    })

    expect(body.files).toEqual([
      { type: 'image', transfer_method: 'remote_url', url: 'https://pictures.example/a.png' },
      { type: 'image', transfer_method: 'local_file', upload_file_id: 'file-1' },
      { type: 'document', transfer_method: 'remote_url', url: 'https://files.example/a.pdf' },
    ])
    expect(uploads).toHaveLength(1)
    expect(uploads[0]?.url).toBe('https://api.dify.ai/v1/files/upload')
    expect(uploads[0]?.headers).toMatchObject({
      authorization: 'Bearer sk-channel-key-1234567890',
      'content-type': expect.stringMatching(/^multipart\/form-data; boundary=/) as unknown,
    })
    expect(uploads[0]?.form).toMatch(/name="user"\r\n\r\nann\r\n/)
    expect(uploads[0]?.form).toMatch(/name="file"; filename="image.png"\r\ncontent-type: image\/png\r\n\r\npng bytes/i)
  })

  test('in a data URL are bytes too', async () => {
    const call: ProviderContext['call'] = async () => ({ status: 201, headers: {}, body: Buffer.from('{"id":"f"}') })
    const part: Part = { kind: 'image', media: { url: 'data:image/jpg;base64,AAAA' } }
    expect((await bodyOf(talk([says('user', part)]), { context: { call } })).files).toEqual([
      { type: 'image', transfer_method: 'local_file', upload_file_id: 'f' },
    ])
  })

  test('that Dify rejects fail the attempt', async () => {
    const call: ProviderContext['call'] = async () => ({ status: 503, headers: {}, body: Buffer.from('oops') })
    await expect(plan(talk([says('user', INLINE)]), { context: { call } })).rejects.toMatchObject({
      code: 'UPSTREAM_FAILED',
    })
  })

  test.each<[string, Part, string]>([
    ['an agent', IMAGE, 'agent'],
    ['anybody, by a foreign address', { kind: 'image', media: { url: 'gs://bucket/a.png' } }, ''],
    ['anybody, by the id of a stored file', { kind: 'file', media: { id: 'file-1' } }, ''],
    ['anybody, if they are of a kind of their own', { kind: 'other', part: { type: 'video_url' } }, ''],
  ])('are unsupported for %s', async (_, part, other) => {
    await expect(plan(talk([says('user', part)]), { other })).rejects.toMatchObject({ code: 'REQUEST_MALFORMED' })
  })
})

test.each<[string, Partial<Conversation>]>([
  ['several replies', { choices: 2 }],
  ['a JSON schema', { format: { kind: 'schema', name: 'a', schema: {} } }],
  ['a tool that must be called', { tools: [{ name: 'f' }], toolChoice: { mode: 'required' } }],
])('%s is unsupported for an app, and the error says so', async (_, more) => {
  await expect(plan(talk([says('user', 'Hi')], more))).rejects.toMatchObject({ code: 'REQUEST_MALFORMED' })
})

test('optional tools are dropped', async () => {
  expect(await bodyOf(talk([says('user', 'Hi')], { tools: [{ name: 'f' }] }))).not.toHaveProperty('tools')
})

test('an unknown kind of app is a channel error, and other operations are unsupported', async () => {
  await expect(plan(talk([says('user', 'Hi')]), { other: 'chatbot' })).rejects.toMatchObject({
    code: 'CHANNEL_MISCONFIGURED',
  })
  await expect(plan(talk([]), { operation: 'embeddings' })).rejects.toMatchObject({ code: 'OPERATION_UNSUPPORTED' })
})

test.each([
  [400, 'invalid_param', 'never', 'invalid_request_error'],
  [401, 'unauthorized', 'other-channel', 'authentication_error'],
  [400, 'provider_quota_exceeded', 'other-channel', 'insufficient_quota'],
  [400, 'provider_not_initialize', 'other-channel', 'upstream_error'],
  [400, 'app_unavailable', 'other-channel', 'upstream_error'],
])('status %i with code %s: %s', (status, code, retry, type) => {
  const body = JSON.stringify({ code, message: 'It went wrong', status })
  expect(dify.failure(status, body, {})).toMatchObject({ status, code, retry, type, message: 'It went wrong' })
})

test('an error not in Dify’s format is still read', () => {
  expect(dify.failure(502, '<html>Bad gateway</html>', {})).toMatchObject({ status: 502, retry: 'other-channel' })
})
