import { describe, expect, test } from 'vitest'
import { collect } from '../../../../../server/relay/conversation/collect.ts'
import type { ReplyEvent } from '../../../../../server/relay/conversation/conversation.ts'
import { sparkFrameReader } from '../../../../../server/relay/providers/xunfei/frame-reader.ts'

/** Frames as a websocket brings them: one JSON text each. */
function readFrames(...frames: object[]): ReplyEvent[] {
  const reader = sparkFrameReader()
  return frames.flatMap((chunk) => {
    const data = JSON.stringify(chunk)
    return reader.event({ bytes: Buffer.from(`${data}\n`), data, name: '', done: false, payload: { ...chunk } })
  })
}
const frame = (status: number, text: object[], payload: object = {}) => ({
  header: { code: 0, message: 'Success', sid: 'cht000', status },
  payload: { choices: { status, seq: status, text }, ...payload },
})
const USAGE = { usage: { text: { question_tokens: 2, prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } } }

describe('frames of Spark', () => {
  test('are text until status 2, which has the usage', () => {
    const events = readFrames(
      frame(0, [{ content: '你', role: 'assistant', index: 0 }]),
      frame(1, [{ content: '好', role: 'assistant', index: 0 }]),
      frame(2, [{ content: '', role: 'assistant', index: 0 }], USAGE),
    )
    expect(events.map(({ kind }) => kind)).toEqual(['start', 'text', 'text', 'usage', 'stop', 'end'])
    expect(collect(events)).toMatchObject({
      id: 'cht000',
      choices: [{ text: '你好', stop: 'stop' }],
      usage: { promptTokens: 7, completionTokens: 3 },
    })
  })

  test('without the last one leave a reply without an end', () => {
    const kinds = readFrames(frame(0, [{ content: 'half' }])).map(({ kind }) => kind)
    expect(kinds).not.toContain('end')
    expect(kinds).not.toContain('stop')
  })

  test('have reasoning beside the text', () => {
    const [choice] = collect(
      readFrames(frame(0, [{ reasoning_content: 'hm', content: '' }]), frame(2, [{ content: 'yes' }])),
    ).choices
    expect(choice).toMatchObject({ text: 'yes', reasoning: [{ text: 'hm' }] })
  })

  test('a call ends the turn for tools', () => {
    const text = [{ content: '', function_call: { name: 'get', arguments: '{"a":1}' } }]
    const [choice] = collect(readFrames(frame(2, text, USAGE))).choices
    expect(choice).toMatchObject({
      stop: 'tools',
      calls: [{ id: 'call_cht000_0', name: 'get', arguments: '{"a":1}' }],
    })
  })

  test.each([
    [10013, 400],
    [10907, 400],
    [11200, 401],
    [11201, 402],
    [11202, 429],
    [11203, 429],
    [10007, 503],
    [10110, 503],
  ])('code %i before any text is an error of status %i', (code, status) => {
    expect(readFrames({ header: { code, message: 'no', sid: 'x', status: 2 } })).toEqual([
      { kind: 'error', error: expect.objectContaining({ code: String(code), message: 'no', status }) },
    ])
  })

  test('of the censor end a started reply', () => {
    const events = readFrames(frame(0, [{ content: 'Once' }]), { header: { code: 10014, message: 'no', status: 2 } })
    expect(events.slice(-2)).toEqual([{ kind: 'stop', reason: 'filter' }, { kind: 'end' }])
  })

  test('with any other code fail a started reply', () => {
    const events = readFrames(frame(0, [{ content: 'Once' }]), { header: { code: 10007, message: 'busy', status: 2 } })
    expect(events.at(-1)).toMatchObject({ kind: 'error', error: { code: '10007' } })
  })

  test('with missing fields are accepted', () => {
    expect(readFrames({}, { header: null, payload: null }, { header: { code: 0 }, payload: { choices: {} } })).toEqual(
      [],
    )
  })
})
