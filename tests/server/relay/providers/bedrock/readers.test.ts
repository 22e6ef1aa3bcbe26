import { describe, expect, test } from 'vitest'
import { converseReader } from '../../../../../server/relay/providers/bedrock/converse-reader.ts'
import { invokeReader } from '../../../../../server/relay/providers/bedrock/invoke-reader.ts'
import { chunkFrames, frame, frames, readFrames } from '../../../../support/aws-frames.ts'

const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 25, cacheReadInputTokens: 7, cacheWriteInputTokens: 3 }
const counted = {
  kind: 'usage',
  usage: {
    promptTokens: 20,
    completionTokens: 5,
    cachedTokens: 7,
    cacheWriteTokens: 3,
    cacheWriteHourTokens: 0,
    audioPromptTokens: 0,
    audioCompletionTokens: 0,
    reasoningTokens: 0,
  },
}
const block = (contentBlockIndex: number, delta: unknown): [string, unknown] => [
  'contentBlockDelta',
  { contentBlockIndex, delta, p: 'abc' },
]

describe('replies of Converse', () => {
  test('reasoning, text and calls are read, and usage after the stop', () => {
    const wire = frames(
      ['messageStart', { role: 'assistant' }],
      block(0, { reasoningContent: { text: 'hm' } }),
      block(0, { reasoningContent: { signature: 'sig' } }),
      block(1, { reasoningContent: { redactedContent: 'ZW5j' } }),
      ['contentBlockStop', { contentBlockIndex: 1 }],
      block(2, { text: 'Hi' }),
      block(2, { text: '' }),
      ['contentBlockStop', { contentBlockIndex: 2 }],
      ['contentBlockStart', { contentBlockIndex: 3, start: { toolUse: { toolUseId: 'a', name: 'f' } } }],
      block(3, { toolUse: { input: '' } }),
      block(3, { toolUse: { input: '{"x":' } }),
      ['contentBlockStart', { contentBlockIndex: 5, start: { toolUse: { toolUseId: 'b', name: 'g' } } }],
      block(3, { toolUse: { input: '1}' } }),
      ['contentBlockStop', { contentBlockIndex: 3 }],
      ['contentBlockStop', { contentBlockIndex: 5 }],
      ['somethingNew', { x: 1 }],
      ['messageStop', { stopReason: 'tool_use' }],
      ['metadata', { usage, metrics: { latencyMs: 1 } }],
    )
    expect(readFrames(converseReader(), wire)).toEqual([
      { kind: 'start' },
      { kind: 'reasoning', text: 'hm' },
      { kind: 'signature', signature: 'sig' },
      { kind: 'redacted', data: 'ZW5j' },
      { kind: 'text', text: 'Hi' },
      { kind: 'call', call: 0, id: 'a', name: 'f' },
      { kind: 'arguments', call: 0, text: '{"x":' },
      { kind: 'call', call: 1, id: 'b', name: 'g' },
      { kind: 'arguments', call: 0, text: '1}' },
      { kind: 'arguments', call: 1, text: '{}' },
      { kind: 'stop', reason: 'tools' },
      counted,
      { kind: 'end' },
    ])
  })

  test('a whole reply has the same steps', () => {
    const content = [
      { reasoningContent: { reasoningText: { text: 'hm', signature: 'sig' } } },
      { reasoningContent: { redactedContent: 'ZW5j' } },
      { text: 'Hi' },
      { toolUse: { toolUseId: 'a', name: 'f', input: { x: 1 } } },
      { toolUse: { toolUseId: 'b', name: 'g', input: {} } },
      { somethingNew: {} },
    ]
    const body = { output: { message: { role: 'assistant', content } }, stopReason: 'end_turn', usage }
    expect(converseReader().whole(body)).toEqual([
      { kind: 'start' },
      { kind: 'reasoning', text: 'hm' },
      { kind: 'signature', signature: 'sig' },
      { kind: 'redacted', data: 'ZW5j' },
      { kind: 'text', text: 'Hi' },
      { kind: 'call', call: 0, id: 'a', name: 'f' },
      { kind: 'arguments', call: 0, text: '{"x":1}' },
      { kind: 'call', call: 1, id: 'b', name: 'g' },
      { kind: 'arguments', call: 1, text: '{}' },
      { kind: 'stop', reason: 'tools' },
      counted,
      { kind: 'end' },
    ])
  })

  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['guardrail_intervened', 'filter'],
    ['content_filtered', 'filter'],
    ['malformed_tool_use', 'stop'],
    ['something_new', 'stop'],
  ])('%s means %s', (stopReason, reason) => {
    expect(readFrames(converseReader(), frames(['messageStop', { stopReason }]))).toEqual([{ kind: 'stop', reason }])
  })

  test('an empty or missing usage is undefined', () => {
    const wire = frames(['metadata', { usage: { inputTokens: 0, outputTokens: 0 } }])
    expect(readFrames(converseReader(), wire)).toEqual([{ kind: 'end' }])
    expect(converseReader().whole({})).toEqual([{ kind: 'start' }, { kind: 'stop', reason: 'stop' }, { kind: 'end' }])
  })
})

describe('replies of an invoked Claude model', () => {
  test('events are read from their frames, to the last one', () => {
    const wire = chunkFrames(
      {
        type: 'message_start',
        message: { id: 'msg_1', model: 'claude-3-haiku-20240307', usage: { input_tokens: 3, output_tokens: 1 } },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '你好' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 4 } },
      { type: 'message_stop', 'amazon-bedrock-invocationMetrics': { inputTokenCount: 3, outputTokenCount: 4 } },
    )
    const steps = readFrames(invokeReader(), wire)
    expect(steps.filter(({ kind }) => kind !== 'usage')).toEqual([
      { kind: 'start', id: 'msg_1', model: 'claude-3-haiku-20240307' },
      { kind: 'text', text: '你好' },
      { kind: 'stop', reason: 'length' },
      { kind: 'end' },
    ])
    expect(steps.findLast(({ kind }) => kind === 'usage')).toMatchObject({
      usage: { promptTokens: 3, completionTokens: 4 },
    })
  })

  test('a whole reply is a Messages reply', () => {
    const body = { id: 'msg_1', content: [{ type: 'text', text: 'Hi' }], stop_reason: 'end_turn' }
    expect(invokeReader().whole(body)).toEqual([
      { kind: 'start', id: 'msg_1' },
      { kind: 'text', text: 'Hi' },
      { kind: 'stop', reason: 'stop' },
      { kind: 'end' },
    ])
  })
})

describe.each([
  ['Converse', converseReader],
  ['an invoked Claude', invokeReader],
])('exceptions in a stream of %s', (_, reader) => {
  test.each([
    ['internalServerException', 500],
    ['modelTimeoutException', 408],
    ['serviceUnavailableException', 503],
    ['throttlingException', 429],
    ['validationException', 400],
    ['brandNewException', 500],
  ])('%s is an error with status %i', (type, status) => {
    const wire = frame({ ':message-type': 'exception', ':exception-type': type }, { message: 'why' })
    expect(readFrames(reader(), wire)).toEqual([{ kind: 'error', error: { message: 'why', type, code: type, status } }])
  })

  test('an error of the model has the status and message of its own server', () => {
    const wire = frame(
      { ':message-type': 'exception', ':exception-type': 'modelStreamErrorException' },
      { message: 'm', originalStatusCode: 529, originalMessage: 'overloaded, account 123456789012' },
    )
    expect(readFrames(reader(), wire)).toMatchObject([
      { kind: 'error', error: { message: 'overloaded, account ***', status: 529 } },
    ])
  })

  test('an error without a type has its code', () => {
    const wire = frame({ ':message-type': 'error', ':error-code': 'Internal', ':error-message': 'why' }, '')
    expect(readFrames(reader(), wire)).toMatchObject([
      { kind: 'error', error: { message: 'why', code: 'Internal', status: 500 } },
    ])
  })
})
