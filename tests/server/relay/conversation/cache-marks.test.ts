import { describe, expect, test } from 'vitest'
import type { Conversation } from '../../../../server/relay/conversation/conversation.ts'
import { parse as parseMessages } from '../../../../server/relay/dialects/anthropic-messages/parse.ts'
import { parseChat } from '../../../../server/relay/dialects/openai-chat/parse.ts'
import { messagesBody } from '../../../../server/relay/providers/anthropic/messages-body.ts'
import { converseBody } from '../../../../server/relay/providers/bedrock/converse-body.ts'
import { chatBody } from '../../../../server/relay/providers/openai/chat-body.ts'

const cache_control = { type: 'ephemeral', ttl: '1h' }
const POINT = { cachePoint: { type: 'default' } }
const CLAUDE_PROFILE = 'arn:aws:bedrock:us-east-1:1:application-inference-profile/abc'
const SEARCH = { type: 'web_search_20250305', name: 'web_search' }
const HI = [{ role: 'user', content: 'hi' }]

const converse = (conversation: Conversation) => converseBody(conversation, { id: CLAUDE_PROFILE })
const openRouter = (conversation: Conversation) =>
  chatBody(conversation, { model: 'm', stream: false, cacheMarks: true })
const claude = (conversation: Conversation) => messagesBody(conversation, { model: 'claude-sonnet-4-5' })

describe('the cache mark of a tool', () => {
  const ordinary = { name: 'look', input_schema: { type: 'object', properties: {} } }

  test.each([
    ['an ordinary tool', [{ ...ordinary, cache_control }]],
    ['a typed tool', [{ type: 'bash_20250124', name: 'bash', cache_control }]],
    ['a web search, which the upstream gets in another field', [ordinary, { ...SEARCH, cache_control }]],
  ])('is kept from a Messages request: %s', (_, tools) => {
    const conversation = parseMessages({ system: 'be brief', messages: HI, tools })
    expect(conversation.tools.map(({ cache }) => cache)).toEqual([cache_control])
    expect(converse(conversation).system).toEqual([{ text: 'be brief' }, POINT])
    expect(openRouter(conversation).tools).toEqual([{ type: 'function', function: expect.anything(), cache_control }])
    expect(JSON.stringify(chatBody(conversation, { model: 'm', stream: false }))).not.toContain('cache_control')
  })

  test.each([
    ['beside the function', { tools: [{ type: 'function', function: { name: 'look' }, cache_control }] }],
    ['in the function', { tools: [{ type: 'function', function: { name: 'look', cache_control } }] }],
    ['of a custom tool', { tools: [{ type: 'custom', custom: { name: 'look' }, cache_control }] }],
    ['of a legacy function', { functions: [{ name: 'look', cache_control }] }],
  ])('is kept from a chat: %s', (_, fields) => {
    expect(claude(parseChat({ messages: HI, ...fields })).tools).toMatchObject([{ name: 'look', cache_control }])
  })

  test('stays with a tool before the search that has its own', () => {
    const other = { type: 'ephemeral' }
    const tools = [
      { ...ordinary, cache_control },
      { ...SEARCH, cache_control: other },
    ]
    expect(parseMessages({ messages: HI, tools }).tools).toMatchObject([{ cache: cache_control }])
  })
})

test('an invalid tool after the web search is named by its position', () => {
  expect(() => parseMessages({ messages: HI, tools: [SEARCH, {}] })).toThrow('tools[1].name')
})

describe('the cache mark of a block', () => {
  const asked = { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'look', input: {}, cache_control }] }
  const answered = (result: object) => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'c', ...result }],
  })
  const marked = { type: 'text', text: 'found', cache_control }

  test('of a call and of a result follows them in Converse', () => {
    const { messages } = converse(parseMessages({ messages: [...HI, asked, answered({ content: [marked] })] }))
    expect(messages).toMatchObject([
      { role: 'user' },
      { content: [{ toolUse: { toolUseId: 'c' } }, POINT] },
      { content: [{ toolResult: { content: [{ text: 'found' }] } }, POINT] },
    ])
  })

  test.each([{ content: 'found', cache_control }, { content: [marked] }])(
    'of a result is kept where chats support marks: %j',
    (result) => {
      const conversation = parseMessages({ messages: [...HI, asked, answered(result)] })
      expect(openRouter(conversation).messages).toContainEqual({ role: 'tool', tool_call_id: 'c', content: [marked] })
    },
  )

  test('of a reply is kept where chats support marks', () => {
    const messages = [...HI, { role: 'assistant', content: [marked] }, ...HI]
    expect(openRouter(parseMessages({ messages })).messages).toContainEqual({ role: 'assistant', content: [marked] })
  })

  test.each([
    { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'found' }] }, cache_control },
    { type: 'search_result', title: 'found', cache_control },
  ])('without a counterpart elsewhere is that of its text: %j', (block) => {
    const conversation = parseMessages({ messages: [{ role: 'user', content: [block] }] })
    expect(openRouter(conversation).messages).toEqual([{ role: 'user', content: [marked] }])
  })
})

test('the cache mark of a chat message is that of its last part', () => {
  const messages = [
    { role: 'system', content: 's', cache_control },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      cache_control,
    },
    { role: 'assistant', content: 'c', cache_control },
    ...HI,
  ]
  expect(claude(parseChat({ messages }))).toMatchObject({
    system: [{ type: 'text', text: 's', cache_control }],
    messages: [
      { content: [{ text: 'a' }, { text: 'b', cache_control }] },
      { content: [{ text: 'c', cache_control }] },
      { content: [{ text: 'hi' }] },
    ],
  })
})
