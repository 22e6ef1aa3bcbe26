import { describe, expect, test } from 'vitest'
import { collect } from '../../../../../server/relay/conversation/collect.ts'
import type { Conversation, Part, Turn } from '../../../../../server/relay/conversation/conversation.ts'
import { coze } from '../../../../../server/relay/providers/coze/coze.ts'
import type {
  ProviderContext,
  ProviderRequest,
  ReplyReader,
  UpstreamRequest,
} from '../../../../../server/relay/providers/provider.ts'
import { askFor, contextWith, liveChannel } from '../../../../support/ask.ts'
import { readStream, sse } from '../../../../support/wire.ts'

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
const HI = talk([says('user', 'Hi')])

async function plan(
  conversation: Conversation,
  {
    other = 'bot-1',
    baseUrl,
    context,
    ...ask
  }: Partial<ProviderRequest> & { other?: string; baseUrl?: string; context?: Partial<ProviderContext> } = {},
) {
  const channel = liveChannel(49, { other, ...(baseUrl && { baseUrl }) })
  return await coze.plan(askFor({ ...ask, conversation }), channel, contextWith(context))
}
async function reader(): Promise<ReplyReader> {
  return (await plan(HI, { stream: true })).reader ?? expect.fail('no reader')
}

describe('a request', () => {
  test("has the channel's bot, and every turn as a question or an answer", async () => {
    const turns = [
      says('system', 'Be brief.'),
      says('user', 'Hi', 'there'),
      says('assistant', 'Hello'),
      says('user', 'Well?'),
    ]
    const { request } = await plan(talk(turns, { user: 'ann' }), { stream: true })

    expect(request.url).toBe('https://api.coze.cn/v3/chat')
    expect(request.headers).toMatchObject({
      authorization: 'Bearer sk-channel-key-1234567890',
      accept: 'text/event-stream',
    })
    expect(JSON.parse(String(request.body))).toEqual({
      bot_id: 'bot-1',
      user_id: 'ann',
      stream: true,
      auto_save_history: true,
      additional_messages: [
        { role: 'user', type: 'question', content: 'Be brief.', content_type: 'text' },
        { role: 'user', type: 'question', content: 'Hi\nthere', content_type: 'text' },
        { role: 'assistant', type: 'answer', content: 'Hello', content_type: 'text' },
        { role: 'user', type: 'question', content: 'Well?', content_type: 'text' },
      ],
    })
  })

  test('names files with a URL, and uploads those with bytes', async () => {
    const uploads: UpstreamRequest[] = []
    const call: ProviderContext['call'] = async (request) => {
      uploads.push(request)
      return { status: 200, headers: {}, body: Buffer.from('{"code":0,"data":{"id":"file-1"}}') }
    }
    const image: Part = { kind: 'image', media: { url: 'https://pictures.example/a.png' } }
    const bytes: Part = { kind: 'file', name: 'a.pdf', media: { data: 'JVBERg==', mime: 'application/pdf' } }
    const { request } = await plan(talk([says('user', 'Look', image, bytes)]), { context: { call } })

    const [message] = JSON.parse(String(request.body)).additional_messages as Record<string, string>[]
    expect(message).toMatchObject({ content_type: 'object_string' })
    expect(JSON.parse(message?.content ?? '')).toEqual([
      { type: 'text', text: 'Look' },
      { type: 'image', file_url: 'https://pictures.example/a.png' },
      { type: 'file', file_id: 'file-1' },
    ])
    expect(uploads.map(({ url }) => url)).toEqual(['https://api.coze.cn/v1/files/upload'])
    expect(uploads[0]?.headers['content-type']).toMatch(/^multipart\/form-data/)
  })

  test('without a bot is a channel error; other operations are unsupported', async () => {
    await expect(plan(HI, { other: ' ' })).rejects.toMatchObject({ code: 'CHANNEL_MISCONFIGURED' })
    await expect(plan(HI, { operation: 'images' })).rejects.toMatchObject({ code: 'OPERATION_UNSUPPORTED' })
  })
})

const USAGE = { token_count: 15, output_count: 5, input_count: 10 }
const delta = (content: string, more = {}) => [
  'conversation.message.delta',
  { id: 'm1', role: 'assistant', type: 'answer', content, ...more },
]
const completed = (type: string, content: string, id = 'm1') => [
  'conversation.message.completed',
  { id, role: 'assistant', type, content, content_type: 'text' },
]
const CREATED = ['conversation.chat.created', { id: 'chat-1', conversation_id: 'c1', status: 'created' }]
const FINISHED = ['conversation.chat.completed', { id: 'chat-1', status: 'completed', usage: USAGE }]
const DONE = 'event: done\ndata: "[DONE]"\n\n'

describe('a stream', () => {
  test('is reasoning, text, usage and the end, without auxiliary messages', async () => {
    const wire =
      sse(
        CREATED,
        ['conversation.chat.in_progress', { id: 'chat-1', status: 'in_progress' }],
        completed('function_call', '{"name":"search"}', 'm0'),
        completed('tool_response', 'found', 'm0'),
        delta('', { reasoning_content: 'Hm.' }),
        delta('Hé'),
        delta('llo'),
        completed('answer', 'Héllo'),
        completed('verbose', '{"msg_type":"generate_answer_finish"}', 'm2'),
        completed('follow_up', 'And you?', 'm3'),
        FINISHED,
      ) + DONE
    for (const pieceBytes of [1, 9, 100_000]) {
      const events = readStream(await reader(), wire, { pieceBytes })
      expect(collect(events)).toMatchObject({
        id: 'chat-1',
        choices: [{ text: 'Héllo', reasoning: [{ text: 'Hm.' }], stop: 'stop' }],
        usage: { promptTokens: 10, completionTokens: 5 },
      })
      expect(events.at(-1)).toEqual({ kind: 'end' })
    }
  })

  test('may have the whole answer in one event', async () => {
    const events = readStream(await reader(), sse(CREATED, completed('answer', 'Hello'), FINISHED) + DONE)
    expect(collect(events).choices[0]?.text).toBe('Hello')
  })

  test('is not complete before its last event', async () => {
    const events = readStream(await reader(), sse(CREATED, delta('Hel')))
    expect(events.map(({ kind }) => kind)).not.toContain('end')
  })

  test('ends even if its last payload is not an object', async () => {
    expect((await plan(HI, { stream: true })).readsNonJsonEvents).toBe(true)
  })

  test.each([
    [
      ['conversation.chat.failed', { status: 'failed', last_error: { code: 4100, msg: 'bad token' } }],
      'bad token',
      401,
    ],
    [
      ['conversation.chat.requires_action', { status: 'requires_action' }],
      'The bot waits for a tool result, which the gateway cannot provide',
      503,
    ],
    [['error', { code: 4000, msg: 'no bot_id' }], 'no bot_id', 400],
    [['', { code: 4101, msg: 'no permission' }], 'no permission', 401],
    [['conversation.chat.failed', {}], 'The chat ended as failed', 503],
  ])('that fails is an error: %j', async (event, message, status) => {
    const events = readStream(await reader(), sse(event))
    expect(events).toEqual([{ kind: 'error', error: expect.objectContaining({ message, status }) as unknown }])
  })
})

describe('without a stream a chat', () => {
  const begun = { code: 0, msg: '', data: { id: 'chat-1', conversation_id: 'c 1', status: 'in_progress' } }

  /** A Coze that answers looks with these bodies, in turn. */
  async function follow(first: Record<string, unknown>, answers: unknown[]) {
    const requests: string[] = []
    const slept: number[] = []
    const call: ProviderContext['call'] = async ({ url, method }) => {
      requests.push(`${method} ${url}`)
      return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(answers.shift() ?? {})) }
    }
    const sleep = async (ms: number) => void slept.push(ms)
    const { complete: ask, reader: read } = await plan(HI, { context: { call, sleep } })
    const body = await (ask ?? expect.fail('nothing follows'))(first)
    return { events: (read ?? expect.fail('no reader')).whole(body), requests, slept }
  }
  const chat = (status: string, more = {}) => ({ code: 0, data: { id: 'chat-1', status, ...more } })

  test('is polled each second until it has ended, and its answers are read', async () => {
    const { events, requests, slept } = await follow(begun, [
      chat('in_progress'),
      chat('completed', { usage: USAGE }),
      {
        code: 0,
        data: [
          { role: 'assistant', type: 'verbose', content: 'aside' },
          { role: 'assistant', type: 'answer', content: 'Hello', reasoning_content: 'Hm.' },
          { role: 'assistant', type: 'follow_up', content: 'And you?' },
        ],
      },
    ])

    expect(collect(events)).toMatchObject({
      id: 'chat-1',
      choices: [{ text: 'Hello', reasoning: [{ text: 'Hm.' }], stop: 'stop' }],
      usage: { promptTokens: 10, completionTokens: 5 },
    })
    expect(events.at(-1)).toEqual({ kind: 'end' })
    expect(slept).toEqual([1000, 1000])
    const query = 'conversation_id=c+1&chat_id=chat-1'
    expect(requests).toEqual([
      `GET https://api.coze.cn/v3/chat/retrieve?${query}`,
      `GET https://api.coze.cn/v3/chat/retrieve?${query}`,
      `GET https://api.coze.cn/v3/chat/message/list?${query}`,
    ])
  })

  test.each([
    [{ code: 4100, msg: 'bad token' }, [], 'bad token', 401],
    [begun, [{ code: 4200, msg: 'no chat' }], 'no chat', 404],
    [begun, [chat('failed', { last_error: { code: 5000, msg: 'broken' } })], 'broken', 503],
    [begun, [chat('canceled')], 'The chat ended as canceled', 503],
    [begun, [chat('requires_action')], 'The bot waits for a tool result, which the gateway cannot provide', 503],
    [begun, [chat('completed'), { code: 4000, msg: 'no list' }], 'no list', 400],
    [begun, ['not JSON'], 'Coze answered 200 when asked for its chat', 503],
  ])('that fails is an error: %j, %j', async (first, answers, message, status) => {
    const { events } = await follow(first, answers)
    expect(events).toEqual([{ kind: 'error', error: expect.objectContaining({ message, status }) as unknown }])
  })

  test('that never ends times out', async () => {
    const { events, slept } = await follow(begun, Array(700).fill(chat('in_progress')))
    expect(events[0]).toMatchObject({ kind: 'error', error: { message: 'The chat did not end within ten minutes' } })
    expect(slept).toHaveLength(600)
  })
})

test('an error with its own status has the next step', () => {
  expect(coze.failure(401, '{"code":4101,"msg":"no permission"}', {})).toMatchObject({
    status: 401,
    message: 'no permission',
    code: '4101',
    retry: 'other-channel',
  })
  expect(coze.failure(400, '{"code":4000,"msg":"wrong"}', {})).toMatchObject({ retry: 'never' })
  expect(coze.failure(503, 'busy', {})).toMatchObject({ status: 503, retry: 'other-channel' })
})
