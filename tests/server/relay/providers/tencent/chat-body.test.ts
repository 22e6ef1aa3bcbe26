import { describe, expect, test } from 'vitest'
import type { Conversation, Part, Turn } from '../../../../../server/relay/conversation/conversation.ts'
import { hunyuanChatBody } from '../../../../../server/relay/providers/tencent/chat-body.ts'

const text = (content: string): Part => ({ kind: 'text', text: content })
const turnOf = (role: Turn['role'], ...parts: Part[]): Turn => ({ role, parts })

function bodyOf(fields: Partial<Conversation>): Record<string, unknown> {
  const conversation = { turns: [turnOf('user', text('hi'))], tools: [], extras: {}, ...fields }
  return hunyuanChatBody(conversation, { model: 'hunyuan-pro', stream: false })
}

describe('requests for Hunyuan', () => {
  test('have the documented fields, byte for byte; unsupported ones are dropped', () => {
    const body = bodyOf({
      temperature: 0,
      topP: 0,
      stop: ['END'],
      seed: 0,
      maxTokens: 9,
      extras: { foo: 1 },
      user: 'u',
    })
    expect(JSON.stringify(body)).toBe(
      '{"Model":"hunyuan-pro","Messages":[{"Role":"user","Content":"hi"}],"Stream":false,"Temperature":0,"TopP":0,' +
        '"Stop":["END"],"Seed":0}',
    )
  })

  test.each([
    [{ temperature: 3 }, { Temperature: 2 }],
    [{ topP: 1.5 }, { TopP: 1 }],
    [{ webSearch: {} }, { EnableEnhancement: true, SearchInfo: true }],
  ])('%j becomes %j', (fields, sent) => {
    expect(bodyOf(fields)).toMatchObject(sent)
  })

  test('instructions are first, later ones are user messages, and turns alternate', () => {
    const { Messages } = bodyOf({
      turns: [
        turnOf('system', text('a')),
        turnOf('system', text('b')),
        turnOf('assistant', text('c')),
        turnOf('user', text('d')),
        turnOf('system', text('e')),
        turnOf('user', text(''), text('f')),
      ],
    })
    expect(Messages).toEqual([
      { Role: 'system', Content: 'a\n\nb' },
      { Role: 'user', Content: 'Okay' },
      { Role: 'assistant', Content: 'c' },
      { Role: 'user', Content: 'd\ne\nf' },
    ])
  })

  test('with pictures use parts', () => {
    const image: Part = { kind: 'image', media: { data: 'AA==', mime: 'image/png' } }
    expect(bodyOf({ turns: [turnOf('user', text('what?'), image)] }).Messages).toEqual([
      {
        Role: 'user',
        Contents: [
          { Type: 'text', Text: 'what?' },
          { Type: 'image_url', ImageUrl: { Url: 'data:image/png;base64,AA==' } },
        ],
      },
    ])
  })

  test('with audio are rejected with the name of the field', () => {
    const audio: Part = { kind: 'audio', data: 'AA==', format: 'wav' }
    expect(() => bodyOf({ turns: [turnOf('user', text('listen'), audio)] })).toThrow(/messages: .*input_audio/)
  })

  test('have calls and their results', () => {
    const { Messages } = bodyOf({
      turns: [
        turnOf('user', text('weather?')),
        turnOf('assistant', { kind: 'call', id: 'c1', name: 'get_it', arguments: '{"user_id":1}' }),
        turnOf('user', { kind: 'result', callId: 'c1', parts: [text('rain')] }),
      ],
    })
    expect(Messages).toEqual([
      { Role: 'user', Content: 'weather?' },
      {
        Role: 'assistant',
        Content: '',
        ToolCalls: [{ Id: 'c1', Type: 'function', Function: { Name: 'get_it', Arguments: '{"user_id":1}' } }],
      },
      { Role: 'tool', Content: 'rain', ToolCallId: 'c1' },
    ])
  })

  test("have a tool's schema as a text, with its own names unchanged", () => {
    const parameters = { type: 'object', properties: { city_name: { type: 'string' } } }
    expect(bodyOf({ tools: [{ name: 'get', description: 'weather', parameters }] }).Tools).toEqual([
      { Type: 'function', Function: { Name: 'get', Parameters: JSON.stringify(parameters), Description: 'weather' } },
    ])
  })

  test.each([
    [undefined, undefined, 2],
    [{ mode: 'auto' }, 'auto', 2],
    [{ mode: 'none' }, undefined, undefined],
    [{ mode: 'required' }, 'auto', 2],
    [{ mode: 'required', names: ['b'] }, 'custom', 1],
  ] as const)('the tool choice %j is %s among %s tools', (toolChoice, ToolChoice, count) => {
    const body = bodyOf({ tools: [{ name: 'a' }, { name: 'b' }], ...(toolChoice && { toolChoice }) })
    expect(body.ToolChoice).toBe(ToolChoice)
    expect((body.Tools as unknown[] | undefined)?.length).toBe(count)
    if (ToolChoice === 'custom') expect(body.CustomTool).toMatchObject({ Function: { Name: 'b' } })
  })

  test('a choice without tools is dropped', () => {
    expect(bodyOf({ toolChoice: { mode: 'auto' } })).not.toHaveProperty('ToolChoice')
  })
})
