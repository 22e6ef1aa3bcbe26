import { describe, expect, test } from 'vitest'
import { collect } from '../../../../../server/relay/conversation/collect.ts'
import type { Conversation, Turn } from '../../../../../server/relay/conversation/conversation.ts'
import type { Plan } from '../../../../../server/relay/providers/provider.ts'
import { zhipuToken } from '../../../../../server/relay/providers/zhipu/token.ts'
import { zhipuV3 } from '../../../../../server/relay/providers/zhipu/v3.ts'
import { zhipuV3Reader } from '../../../../../server/relay/providers/zhipu/v3-reader.ts'
import { askFor, contextWith, liveChannel } from '../../../../support/ask.ts'
import { readReply } from '../../../../support/wire.ts'

const turnOf = (role: Turn['role'], text: string): Turn => ({ role, parts: [{ kind: 'text', text }] })

async function plan(fields: Partial<Conversation> = {}, { stream = false } = {}): Promise<Plan> {
  const conversation = { turns: [turnOf('user', 'hi')], tools: [], extras: {}, ...fields }
  const ask = askFor({ model: 'chatglm_turbo', stream, conversation })
  return zhipuV3.plan(ask, liveChannel(16, { key: 'id123.secret456' }), contextWith())
}

test('a token matches the documented one', () => {
  expect(zhipuToken('id123.secret456', 1_700_000_000_000)).toBe(
    'eyJhbGciOiJIUzI1NiIsInNpZ25fdHlwZSI6IlNJR04ifQ.eyJhcGlfa2V5IjoiaWQxMjMiLCJleHAiOjE3MDAwODY0MDAwMDAsInRpbWVzdGFtcCI6MTcwMDAwMDAwMDAwMH0.3LN0xsjNd2jXePbnTsdeez79ysVsTWgTOjFFpSlPzvc',
  )
})

test('a key without two parts is its own token', () => {
  expect(zhipuToken(' plain ', 0)).toBe('Bearer plain')
})

describe('requests for Zhipu’s third API', () => {
  test('have the model and the method in the address, and the bare token', async () => {
    const { request } = await plan()
    expect(request.url).toBe('https://open.bigmodel.cn/api/paas/v3/model-api/chatglm_turbo/invoke')
    expect(request.headers.authorization).toBe(zhipuToken('id123.secret456', contextWith().now()))
    expect(request.body).toBe('{"prompt":[{"role":"user","content":"hi"}]}')
    expect((await plan({}, { stream: true })).request).toMatchObject({
      url: 'https://open.bigmodel.cn/api/paas/v3/model-api/chatglm_turbo/sse-invoke',
      body: '{"prompt":[{"role":"user","content":"hi"}],"incremental":true}',
    })
  })

  test('with an instruction send it as a user message with a confirmation', async () => {
    const { request } = await plan({ turns: [turnOf('system', 'a'), turnOf('user', 'b')], topP: 1, temperature: 0 })
    expect(JSON.parse(String(request.body))).toEqual({
      prompt: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'Okay' },
        { role: 'user', content: 'b' },
      ],
      temperature: 0,
      top_p: 0.99,
    })
  })

  test('with tools are rejected', async () => {
    await expect(plan({ tools: [{ name: 'a' }] })).rejects.toThrow(/tools: /)
  })
})

/** What the relay makes of these bytes. */
const readWire = (wire: string) => readReply(zhipuV3Reader(), [wire], { readsNonJsonEvents: true })

const META =
  'meta:{"request_id":"r","task_status":"SUCCESS","usage":{"prompt_tokens":3,"completion_tokens":5,"total_tokens":8}}'

describe('replies of Zhipu’s third API', () => {
  test('a stream is bare text; several lines are a text with line breaks, spaces are kept', async () => {
    const events = await readWire(
      `event:add\nid:1\ndata:Hello\n\nevent:add\nid:1\ndata: world\n\nevent:add\nid:1\ndata:\ndata:\n\nevent:add\ndata:{"a":\ndata:1}\n\nevent:finish\nid:1\ndata:\n${META}\n\n`,
    )
    expect(collect(events)).toMatchObject({
      choices: [{ text: 'Hello world\n{"a":\n1}', stop: 'stop' }],
      usage: { promptTokens: 3, completionTokens: 5 },
    })
    expect(events.at(-1)).toEqual({ kind: 'end' })
  })

  test('a text that is a JSON number or object is a text', async () => {
    expect(collect(await readWire('event:add\ndata:42\n\nevent:add\ndata:{"a":1}\n\n')).choices[0]?.text).toBe(
      '42{"a":1}',
    )
  })

  test('an interrupted stream was filtered', async () => {
    const events = await readWire(`event:add\ndata:x\n\nevent:interrupted\ndata:\n${META}\n\n`)
    expect(events.slice(-2)).toEqual([{ kind: 'stop', reason: 'filter' }, { kind: 'end' }])
  })

  test.each([
    ['event:error\ndata:{"code":1302,"msg":"busy"}\n\n', { code: '1302', message: 'busy', status: 429 }],
    ['event:error\ndata:it broke\n\n', { message: 'it broke' }],
    ['{"code":1302,"msg":"busy","success":false}', { code: '1302', message: 'busy', status: 429 }],
  ])('an error in a stream is an error: %j', async (wire, error) => {
    expect(await readWire(wire)).toMatchObject([{ kind: 'error', error }])
  })

  test('the content of a whole reply is unquoted', () => {
    const choices = [{ role: 'assistant', content: '"Hello\\nworld"' }]
    const data = { task_id: 't', request_id: 'r', choices, usage: { total_tokens: 8, prompt_tokens: 3 } }
    expect(collect(zhipuV3Reader().whole({ code: 200, msg: 'ok', success: true, data }))).toMatchObject({
      id: 'r',
      choices: [{ text: 'Hello\nworld', stop: 'stop' }],
      usage: { promptTokens: 3, completionTokens: 5 },
    })
  })

  test('unquoted content stays unchanged', () => {
    const data = { choices: [{ content: 'plain' }] }
    expect(collect(zhipuV3Reader().whole({ success: true, data })).choices[0]?.text).toBe('plain')
  })

  test('an error with status 200 is an error', () => {
    expect(zhipuV3Reader().whole({ code: 1002, msg: 'token', success: false })).toMatchObject([
      { kind: 'error', error: { code: '1002', message: 'token', status: 401 } },
    ])
  })
})
