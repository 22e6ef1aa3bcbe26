import { describe, expect, test } from 'vitest'
import { collect } from '../../../../../server/relay/conversation/collect.ts'
import { hunyuanChatReader } from '../../../../../server/relay/providers/tencent/chat-reader.ts'
import { readStream, sse } from '../../../../support/wire.ts'

const chunk = (Delta: object, { FinishReason = '', CompletionTokens = 1 } = {}) => ({
  Id: 'h-1',
  Created: 1700000000,
  Note: 'by a model',
  Choices: [{ Index: 0, Delta, FinishReason }],
  Usage: { PromptTokens: 4, CompletionTokens, TotalTokens: 4 + CompletionTokens },
})

describe('replies of Hunyuan', () => {
  test('a stream is not wrapped, and ends without [DONE]; its last usage counts', () => {
    const events = readStream(
      hunyuanChatReader(),
      sse(
        chunk({ Role: 'assistant', ReasoningContent: 'hm' }),
        chunk({ Role: 'assistant', Content: '你' }, { CompletionTokens: 2 }),
        chunk({ Role: 'assistant', Content: '好' }, { FinishReason: 'stop', CompletionTokens: 3 }),
      ),
      { pieceBytes: 11 },
    )
    expect(collect(events)).toMatchObject({
      id: 'h-1',
      choices: [{ text: '你好', reasoning: [{ text: 'hm' }], stop: 'stop' }],
      usage: { promptTokens: 4, completionTokens: 3 },
    })
    expect(events.some(({ kind }) => kind === 'end')).toBe(false)
  })

  test('a truncated stream has no stop', () => {
    const events = readStream(hunyuanChatReader(), sse(chunk({ Content: 'half' })))
    expect(events.some(({ kind }) => kind === 'stop' || kind === 'end')).toBe(false)
  })

  test('[DONE] ends it at any position', () => {
    expect(readStream(hunyuanChatReader(), sse(chunk({ Content: 'x' }), '[DONE]')).at(-1)).toEqual({ kind: 'end' })
  })

  test("a whole reply is wrapped, with its calls' arguments unchanged", () => {
    const ToolCalls = [{ Id: 'c1', Type: 'function', Function: { Name: 'get', Arguments: '{"CityName":"Bonn"}' } }]
    const events = hunyuanChatReader().whole({
      Response: {
        Choices: [{ FinishReason: 'tool_calls', Message: { Role: 'assistant', Content: '', ToolCalls } }],
        Id: 'h-2',
        Usage: { PromptTokens: 4, CompletionTokens: 2, TotalTokens: 6 },
        RequestId: 'r',
      },
    })
    expect(collect(events)).toMatchObject({
      id: 'h-2',
      choices: [{ stop: 'tools', calls: [{ id: 'c1', name: 'get', arguments: '{"CityName":"Bonn"}' }] }],
      usage: { promptTokens: 4, completionTokens: 2 },
    })
    expect(events.at(-1)).toEqual({ kind: 'end' })
  })

  test('a censored reply is filtered', () => {
    const events = readStream(hunyuanChatReader(), sse(chunk({ Content: 'x' }, { FinishReason: 'sensitive' })))
    expect(collect(events).choices[0]?.stop).toBe('filter')
  })

  test.each([
    ['AuthFailure.SignatureFailure', 401],
    ['FailedOperation.ResourcePackExhausted', 402],
    ['FailedOperation.FreeResourcePackExhausted', 402],
    ['ResourceUnavailable.InArrears', 402],
    ['LimitExceeded', 429],
    ['RequestLimitExceeded', 429],
    ['InvalidParameterValue.Model', 400],
    ['OperationDenied.TextIllegalDetected', 400],
    ['OperationDenied.ImageIllegalDetected', 400],
    ['InternalError', 503],
  ])('%s with status 200 is only an error of status %i', (Code, status) => {
    const body = { Response: { Error: { Code, Message: 'no' }, RequestId: 'r' } }
    const error = [{ kind: 'error', error: expect.objectContaining({ code: Code, message: 'no', status }) }]
    expect(hunyuanChatReader().whole(body)).toEqual(error)
    // As an event of a stream, or in place of one.
    expect(readStream(hunyuanChatReader(), sse(body))).toEqual(error)
  })

  test('an error in a stream is an error', () => {
    const events = readStream(
      hunyuanChatReader(),
      sse(chunk({ Content: 'half' }), { ErrorMsg: { Msg: 'internal', Code: 2003 }, Id: 'h-1' }),
    )
    expect(events.at(-1)).toMatchObject({ kind: 'error', error: { message: 'internal', code: '2003' } })
  })
})
