import { describe, expect, test } from 'vitest'
import { collect } from '../../../../../server/relay/conversation/collect.ts'
import type { ReplyEvent } from '../../../../../server/relay/conversation/conversation.ts'
import { chatReader } from '../../../../../server/relay/providers/openai/chat-reader.ts'
import { withCustomCalls } from '../../../../../server/relay/providers/openai/custom-calls.ts'
import { withThinkTags } from '../../../../../server/relay/providers/openai/think-tags.ts'
import { readStream, sse } from '../../../../support/wire.ts'

function read(pieces: readonly string[], { ends = true } = {}): ReplyEvent[] {
  const chunks = pieces.map((content) => ({ choices: [{ index: 0, delta: { content } }] }))
  const end = ends ? [{ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }, '[DONE]'] : []
  return readStream(withThinkTags(chatReader()), sse(...chunks, ...end))
}
const parts = (pieces: readonly string[]) => {
  const choice = collect(read(pieces)).choices[0]
  return [choice?.reasoning.map(({ text }) => text).join('') ?? '', choice?.text]
}

describe('reasoning in think tags', () => {
  test.each([
    ['<think>hm</think>\n\nyes', 'hm', 'yes'],
    ['\n<think>\nhm\n</think>yes', '\nhm\n', 'yes'],
    ['yes <think>no</think>', '', 'yes <think>no</think>'],
    ['<thinking>a</thinking>', '', '<thinking>a</thinking>'],
    ['<think>a < b </ think </think>c</think>', 'a < b </ think ', 'c</think>'],
    ['<think></think>yes', '', 'yes'],
    ['<think>never closed</thi', 'never closed</thi', ''],
    ['<thi', '', '<thi'],
    ['  spaced', '', '  spaced'],
  ])('%j', (text, thought, content) => {
    expect(parts([text])).toEqual([thought, content])
    // However the stream cuts it.
    expect(parts([...text])).toEqual([thought, content])
    expect(parts(text.match(/.{1,3}/gs) ?? [])).toEqual([thought, content])
  })

  test('is sent as it arrives', () => {
    expect(read(['<think>a', 'b'], { ends: false })).toEqual([
      { kind: 'reasoning', text: 'a', choice: 0 },
      { kind: 'reasoning', text: 'b', choice: 0 },
    ])
  })

  test('in a whole reply ends before the stop', () => {
    const events = withThinkTags(chatReader()).whole({
      choices: [{ index: 0, message: { content: '<think>a</think>b' }, finish_reason: 'stop' }],
    })
    expect(events.map(({ kind }) => kind)).toEqual(['reasoning', 'text', 'stop', 'end'])
  })
})

describe('calls of tools with free text', () => {
  const read = (args: string[]) => {
    const chunks = args.map((text, at) => ({
      choices: [
        {
          index: 0,
          delta: {
            tool_calls: [
              {
                index: 0,
                ...(at === 0 && { id: 'a' }),
                function: { ...(at === 0 && { name: 'patch' }), arguments: text },
              },
            ],
          },
        },
      ],
    }))
    const wire = sse(...chunks, { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }, '[DONE]')
    return collect(readStream(withCustomCalls(chatReader(), new Set(['patch'])), wire)).choices[0]?.calls
  }

  test('are converted back, with the text as their input', () => {
    expect(read(['{"inp', 'ut":"a\\nb"}'])).toEqual([
      { kind: 'call', id: 'a', name: 'patch', arguments: 'a\nb', custom: true },
    ])
  })

  test('keep arguments of another shape', () => {
    expect(read(['{"other":1}'])).toMatchObject([{ arguments: '{"other":1}', custom: true }])
  })

  test('do not affect other tools', () => {
    const wire = sse(
      {
        choices: [
          {
            index: 0,
            delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{"input":"x"}' } }] },
          },
        ],
      },
      '[DONE]',
    )
    const calls = collect(readStream(withCustomCalls(chatReader(), new Set(['patch'])), wire)).choices[0]?.calls
    expect(calls).toEqual([{ kind: 'call', id: 'a', name: 'f', arguments: '{"input":"x"}' }])
  })
})
