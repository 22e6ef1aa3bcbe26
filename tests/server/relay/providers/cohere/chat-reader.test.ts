import { describe, expect, test } from 'vitest'
import { cohereChatReader } from '../../../../../server/relay/providers/cohere/chat-reader.ts'
import { readStream, sse } from '../../../../support/wire.ts'

const message = (type: string, content: unknown, more: object = {}): [string, unknown] => [
  type,
  { type, ...more, delta: { message: content } },
]
const usage = {
  billed_units: { input_tokens: 10, output_tokens: 5 },
  tokens: { input_tokens: 80, output_tokens: 6 },
  cached_tokens: 4,
}
const ended = (delta: object): [string, unknown] => ['message-end', { type: 'message-end', delta }]
const counted = { kind: 'usage', usage: { promptTokens: 10, completionTokens: 5, cachedTokens: 4 } }

describe('replies of Cohere', () => {
  const wire = sse(
    ['message-start', { type: 'message-start', id: 'c1', delta: { message: { role: 'assistant', content: [] } } }],
    ['debug', { type: 'debug', prompt: 'x' }],
    message('content-start', { content: { type: 'thinking', thinking: '' } }, { index: 0 }),
    message('content-delta', { content: { thinking: 'hm' } }, { index: 0 }),
    ['content-end', { type: 'content-end', index: 0 }],
    message('content-start', { content: { type: 'text', text: '' } }, { index: 1 }),
    message('content-delta', { content: { text: 'Größe 🙂' } }, { index: 1 }),
    message('citation-start', {
      citations: {
        start: 0,
        end: 5,
        text: 'Größe',
        sources: [
          { type: 'document', document: { url: 'https://a.example', title: 'A' } },
          { type: 'tool', id: 't' },
        ],
      },
    }),
    ['citation-end', { type: 'citation-end', index: 0 }],
    message('tool-plan-delta', { tool_plan: 'I will' }),
    message(
      'tool-call-start',
      { tool_calls: { id: 'a', type: 'function', function: { name: 'f', arguments: '' } } },
      { index: 1 },
    ),
    message('tool-call-delta', { tool_calls: { function: { arguments: '{"x":' } } }, { index: 1 }),
    message('tool-call-delta', { tool_calls: { function: { arguments: '1}' } } }, { index: 1 }),
    ['tool-call-end', { type: 'tool-call-end', index: 1 }],
    message('tool-call-start', { tool_calls: { id: 'b', type: 'function', function: { name: 'g' } } }, { index: 3 }),
    ['tool-call-end', { type: 'tool-call-end', index: 3 }],
    ended({ finish_reason: 'TOOL_CALL', usage }),
    '[DONE]',
  )

  test.each([undefined, 7])('are read event by event, in chunks of %s bytes', (pieceBytes) => {
    const steps = readStream(cohereChatReader(), wire, pieceBytes ? { pieceBytes } : undefined)
    expect(steps).toMatchObject([
      { kind: 'start', id: 'c1' },
      { kind: 'reasoning', text: 'hm' },
      { kind: 'text', text: 'Größe 🙂' },
      { kind: 'citation', citation: { url: 'https://a.example', title: 'A', start: 0, end: 5, quote: 'Größe' } },
      { kind: 'reasoning', text: 'I will' },
      { kind: 'call', call: 0, id: 'a', name: 'f' },
      { kind: 'arguments', call: 0, text: '{"x":' },
      { kind: 'arguments', call: 0, text: '1}' },
      { kind: 'call', call: 1, id: 'b', name: 'g' },
      { kind: 'arguments', call: 1, text: '{}' },
      { kind: 'stop', reason: 'tools' },
      counted,
      { kind: 'end' },
    ])
  })

  test('have the same steps as a whole', () => {
    const body = {
      id: 'c1',
      finish_reason: 'COMPLETE',
      message: {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'Hi' },
        ],
        tool_plan: 'I will',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } },
          { id: 'b', type: 'function', function: { name: 'g', arguments: '' } },
        ],
      },
      usage,
    }
    expect(cohereChatReader().whole(body)).toMatchObject([
      { kind: 'start', id: 'c1' },
      { kind: 'reasoning', text: 'I will' },
      { kind: 'reasoning', text: 'hm' },
      { kind: 'text', text: 'Hi' },
      { kind: 'call', call: 0, id: 'a' },
      { kind: 'arguments', call: 0, text: '{"x":1}' },
      { kind: 'call', call: 1, id: 'b' },
      { kind: 'arguments', call: 1, text: '{}' },
      { kind: 'stop', reason: 'tools' },
      counted,
      { kind: 'end' },
    ])
  })

  test.each([
    ['COMPLETE', 'stop'],
    ['STOP_SEQUENCE', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['ERROR_TOXIC', 'filter'],
    ['SOMETHING_NEW', 'stop'],
  ])('%s means %s', (finish_reason, reason) => {
    expect(readStream(cohereChatReader(), sse(ended({ finish_reason })))).toEqual([
      { kind: 'stop', reason },
      { kind: 'end' },
    ])
  })

  test.each([
    ['ERROR', 500],
    ['ERROR_LIMIT', 500],
    ['TIMEOUT', 504],
  ])('%s is a failure with status %i, with its usage', (finish_reason, status) => {
    const steps = readStream(cohereChatReader(), sse(ended({ finish_reason, usage, error: 'why' })))
    expect(steps).toMatchObject([
      { kind: 'usage' },
      { kind: 'error', error: { message: 'why', code: finish_reason, status } },
    ])
  })

  test('an error that interrupts a stream is reported', () => {
    const steps = readStream(cohereChatReader(), sse({ message: 'gone', id: 'x' }))
    expect(steps).toMatchObject([{ kind: 'error', error: { message: 'gone', status: 500 } }])
  })

  test('unbilled usage is read from the token counts, and zeros are no usage', () => {
    const used = (reported: unknown) =>
      cohereChatReader()
        .whole({ usage: reported })
        .filter(({ kind }) => kind === 'usage')
    expect(used({ tokens: { input_tokens: 3, output_tokens: 2 } })).toMatchObject([
      { usage: { promptTokens: 3, completionTokens: 2, cachedTokens: 0 } },
    ])
    expect(used({ billed_units: { input_tokens: 0, output_tokens: 0 } })).toEqual([])
    expect(used(undefined)).toEqual([])
  })
})
