import { describe, expect, test } from 'vitest'
import { collect } from '../../../../../server/relay/conversation/collect.ts'
import { baiduChatReader } from '../../../../../server/relay/providers/baidu/chat-reader.ts'
import { readReply, readStream, sse } from '../../../../support/wire.ts'

const chunk = (sentence_id: number, result: string, rest: object = {}) => ({
  id: 'as-1',
  object: 'chat.completion',
  created: 1700000000,
  sentence_id,
  is_end: false,
  is_truncated: false,
  result,
  need_clear_history: false,
  usage: { prompt_tokens: 5, completion_tokens: 0, total_tokens: 5 + sentence_id },
  ...rest,
})

describe('replies of Baidu', () => {
  test('a stream is text, usage so far, and its end at is_end; output usage follows from the total', () => {
    const events = readStream(
      baiduChatReader(),
      sse(chunk(1, '你'), chunk(2, '好'), chunk(3, '', { is_end: true, finish_reason: 'normal' })),
      { pieceBytes: 7 },
    )
    expect(events.map(({ kind }) => kind)).toEqual(['start', 'text', 'usage', 'text', 'usage', 'usage', 'stop', 'end'])
    const reply = collect(events)
    expect(reply).toMatchObject({ id: 'as-1', choices: [{ text: '你好', stop: 'stop' }] })
    expect(reply.usage).toMatchObject({ promptTokens: 5, completionTokens: 3 })
  })

  test('a stream that breaks off has no end', () => {
    const events = readStream(baiduChatReader(), sse(chunk(1, 'half')))
    expect(events.some(({ kind }) => kind === 'stop' || kind === 'end')).toBe(false)
  })

  test.each([
    [{ finish_reason: 'normal' }, 'stop'],
    [{ finish_reason: 'stop' }, 'stop'],
    [{ finish_reason: 'length' }, 'length'],
    [{ is_truncated: true, finish_reason: 'normal' }, 'length'],
    [{ finish_reason: 'content_filter' }, 'filter'],
    [{ need_clear_history: true, ban_round: -1 }, 'filter'],
    [{}, 'stop'],
  ])('a whole reply with %j ended for %s', (fields, stop) => {
    const events = baiduChatReader().whole({ id: 'as-2', result: 'hi', ...fields })
    expect(collect(events).choices[0]).toMatchObject({ text: 'hi', stop })
    expect(events.at(-1)).toEqual({ kind: 'end' })
  })

  test('a call has a name, arguments, reasoning and a generated id, and ends the turn for tools', () => {
    const function_call = { name: 'get', thoughts: 'I need the weather', arguments: '{"city":"Bonn"}' }
    const [choice] = collect(
      baiduChatReader().whole({ id: 'as-3', result: '', function_call, finish_reason: 'normal' }),
    ).choices
    expect(choice).toMatchObject({
      stop: 'tools',
      calls: [{ id: 'call_as-3_0', name: 'get', arguments: '{"city":"Bonn"}' }],
      reasoning: [{ text: 'I need the weather' }],
    })
  })

  test('a usage of zeros is undefined', () => {
    const events = baiduChatReader().whole({ result: 'hi', usage: { prompt_tokens: 0, total_tokens: 0 } })
    expect(collect(events).usage).toBeUndefined()
  })

  test.each([
    [336003, 400],
    [17, 429],
    [18, 429],
    [6, 401],
    [336100, 503],
    [999999, 503],
  ])('error %i with status 200 is only an error of status %i', (error_code, status) => {
    expect(baiduChatReader().whole({ error_code, error_msg: 'no' })).toEqual([
      { kind: 'error', error: expect.objectContaining({ code: String(error_code), message: 'no', status }) },
    ])
  })

  test('error_code 0 is no error', () => {
    expect(collect(baiduChatReader().whole({ error_code: 0, result: 'fine' })).choices[0]?.text).toBe('fine')
  })

  test('an error instead of a stream is bare JSON, and is read', async () => {
    const bytes = ['{"error_code":18,"error_msg":"Open api qps', ' limit reached"}']
    const events = await readReply(baiduChatReader(), bytes)
    expect(events).toEqual([{ kind: 'error', error: expect.objectContaining({ code: '18', status: 429 }) }])
  })
})
