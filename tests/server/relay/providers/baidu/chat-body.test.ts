import { describe, expect, test } from 'vitest'
import type { Conversation, Part, Turn } from '../../../../../server/relay/conversation/conversation.ts'
import { baiduChatBody } from '../../../../../server/relay/providers/baidu/chat-body.ts'

const text = (content: string): Part => ({ kind: 'text', text: content })
const user = (...parts: Part[]): Turn => ({ role: 'user', parts })
const assistant = (...parts: Part[]): Turn => ({ role: 'assistant', parts })
const system = (content: string): Turn => ({ role: 'system', parts: [text(content)] })
const call = (id: string, name: string, args = '{}'): Part => ({ kind: 'call', id, name, arguments: args })
const result = (callId: string, content: string): Part => ({ kind: 'result', callId, parts: [text(content)] })

function bodyOf(fields: Partial<Conversation>, { stream = false } = {}): Record<string, unknown> {
  return baiduChatBody({ turns: [user(text('hi'))], tools: [], extras: {}, ...fields }, { stream })
}

describe('messages for Baidu', () => {
  test('the whole request is as documented, byte for byte', () => {
    const body = bodyOf(
      {
        turns: [system('Be brief.'), user(text('hi'))],
        temperature: 0.7,
        topP: 0.9,
        frequencyPenalty: 1.2,
        maxTokens: 100,
        stop: ['END'],
        user: 'u1',
        seed: 1,
      },
      { stream: true },
    )
    expect(JSON.stringify(body)).toBe(
      '{"messages":[{"role":"user","content":"hi"}],"system":"Be brief.","stream":true,"temperature":0.7,"top_p":0.9,' +
        '"penalty_score":1.2,"max_output_tokens":100,"stop":["END"],"user_id":"u1","disable_search":false,"enable_citation":false}',
    )
  })

  test('all system texts are merged, in order, wherever they were', () => {
    const body = bodyOf({ turns: [system('one'), user(text('hi')), system('two'), user(text('there'))] })
    expect(body.system).toBe('one\ntwo')
    expect(body.messages).toEqual([{ role: 'user', content: 'hi\nthere' }])
  })

  test('instructions alone become a user message', () => {
    const body = bodyOf({ turns: [system('Say hi.')] })
    expect(body).not.toHaveProperty('system')
    expect(body.messages).toEqual([{ role: 'user', content: 'Say hi.' }])
  })

  test('turns alternate, and the user is first and last', () => {
    const { messages } = bodyOf({
      turns: [assistant(text('a')), user(text('b')), user(text('c')), assistant(text('d')), assistant(text('e'))],
    })
    expect(messages).toEqual([
      { role: 'user', content: 'Okay' },
      { role: 'assistant', content: 'a' },
      { role: 'user', content: 'b\nc' },
      { role: 'assistant', content: 'd\ne' },
      { role: 'user', content: 'Okay' },
    ])
  })

  test("two calls of a turn become call, result, call, result, and the user's text follows an assistant message", () => {
    const { messages } = bodyOf({
      turns: [
        user(text('weather?')),
        assistant(text('Looking.'), call('1', 'get', '{"city":"Bonn"}'), call('2', 'get', '')),
        user(text('and hurry'), result('2', 'snow'), result('1', 'rain')),
      ],
    })
    expect(messages).toEqual([
      { role: 'user', content: 'weather?' },
      { role: 'assistant', content: 'Looking.', function_call: { name: 'get', arguments: '{"city":"Bonn"}' } },
      { role: 'function', name: 'get', content: 'rain' },
      { role: 'assistant', content: '', function_call: { name: 'get', arguments: '{}' } },
      { role: 'function', name: 'get', content: 'snow' },
      { role: 'assistant', content: 'Okay' },
      { role: 'user', content: 'and hurry' },
    ])
  })

  test.each([
    ['an image', { kind: 'image', media: { url: 'https://example.com/a.png' } }],
    ['sound', { kind: 'audio', data: 'AA==', format: 'wav' }],
    ['a vendor’s part', { kind: 'other', part: { type: 'video_url' } }],
  ] as [string, Part][])('%s is rejected with the name of the field', (_, part) => {
    expect(() => bodyOf({ turns: [user(text('what is it?'), part)] })).toThrow(/messages: .*texts only/)
  })

  test('a text document is read', () => {
    const { messages } = bodyOf({ turns: [user({ kind: 'file', media: { text: 'chapter one' } }, text('sum up'))] })
    expect(messages).toEqual([{ role: 'user', content: 'chapter one\nsum up' }])
  })
})

describe('fields for Baidu', () => {
  test.each([
    [{ temperature: 0 }, { temperature: 0.01 }],
    [{ temperature: 1.6 }, { temperature: 1 }],
    [{ topP: 0 }, { top_p: 0 }],
    [{ topP: 1 }, { top_p: 1 }],
    [{ frequencyPenalty: 1 }, { penalty_score: 1 }],
    [{ frequencyPenalty: 2 }, { penalty_score: 2 }],
    [{ maxTokens: 1 }, { max_output_tokens: 2 }],
    [{ maxTokens: 3 }, { max_output_tokens: 3 }],
    [{ stop: [' ', 'a', 'b', 'c', 'd', 'e'] }, { stop: ['a', 'b', 'c', 'd'] }],
  ])('%j becomes %j', (fields, sent) => {
    expect(bodyOf(fields)).toMatchObject(sent)
  })

  test.each([
    [{ frequencyPenalty: 0.5 }, 'penalty_score'],
    [{ frequencyPenalty: -1 }, 'penalty_score'],
    [{ stop: ['\n'] }, 'stop'],
    [{}, 'temperature'],
    [{}, 'functions'],
  ])('%j sends no %s', (fields, absent) => {
    expect(bodyOf(fields)).not.toHaveProperty(absent)
  })

  test('tools are functions, with a description and a schema even if the client sent none', () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } } }
    const { functions } = bodyOf({
      tools: [{ name: 'get', description: 'weather', parameters }, { name: 'now' }],
    })
    expect(functions).toEqual([
      { name: 'get', description: 'weather', parameters },
      { name: 'now', description: 'now', parameters: { type: 'object', properties: {} } },
    ])
  })

  test('a forbidden tool is not offered, and of chosen ones only these', () => {
    const tools = [{ name: 'a' }, { name: 'b' }]
    expect(bodyOf({ tools, toolChoice: { mode: 'none' } })).not.toHaveProperty('functions')
    expect(bodyOf({ tools, toolChoice: { mode: 'required', names: ['b'] } }).functions).toHaveLength(1)
  })

  test.each([
    [{ choices: 2 }, /n must be 1: .*one reply/],
    [{ format: { kind: 'schema', name: 'x', schema: {} } as const }, /response_format: /],
  ])('%j is unsupported', (fields, reason) => {
    expect(() => bodyOf(fields)).toThrow(reason)
  })
})
