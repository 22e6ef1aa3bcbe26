import { describe, expect, test } from 'vitest'
import { recordOf } from '../../../../../core/records.ts'
import type { ReplyEvent } from '../../../../../server/relay/conversation/conversation.ts'
import { openaiResponses } from '../../../../../server/relay/dialects/openai-responses/dialect.ts'
import { objectsOf } from '../../../../../server/relay/json.ts'
import { GOLDEN_EVENTS, GOLDEN_USAGE } from '../../../../support/golden-responses.ts'
import { payloads, replyContext, writtenStream, writtenWhole } from '../../../../support/reply-context.ts'

/** Items without their ids, which differ each time. */
const withoutIds = (response: Record<string, unknown>) => objectsOf(response.output).map(({ id: _, ...item }) => item)

describe('a whole response', () => {
  test('has every key required by strict clients', () => {
    const response = writtenWhole(openaiResponses, [{ kind: 'text', text: 'hi' }])
    expect(response).toMatchObject({
      id: expect.stringMatching(/^resp_[0-9a-f]{24,}$/),
      object: 'response',
      created_at: 1_700_000_000,
      status: 'completed',
      background: false,
      error: null,
      incomplete_details: null,
      instructions: null,
      max_output_tokens: null,
      metadata: {},
      model: 'asked-model',
      parallel_tool_calls: true,
      previous_response_id: null,
      reasoning: { effort: null, summary: null },
      service_tier: 'auto',
      store: false,
      temperature: 1,
      text: { format: { type: 'text' } },
      tool_choice: 'auto',
      tools: [],
      top_p: 1,
      truncation: 'disabled',
    })
    expect(response.completed_at).toBeGreaterThanOrEqual(1_700_000_000)
    expect(response).not.toHaveProperty('output_text')
  })

  test('echoes the request, but with store false', () => {
    const body = {
      instructions: 'Be brief.',
      store: true,
      temperature: 0,
      top_p: 0,
      tools: [{ type: 'function', name: 'f' }],
      tool_choice: 'required',
      parallel_tool_calls: false,
      max_output_tokens: 7,
      reasoning: { effort: 'low' },
      text: { verbosity: 'low' },
      metadata: { a: 'b' },
      user: 'u',
    }
    const response = writtenWhole(openaiResponses, [], { context: replyContext({ body }) })
    expect(response).toMatchObject({
      ...body,
      tools: [{ type: 'function', name: 'f', parameters: null, strict: null }],
      store: false,
      reasoning: { effort: 'low', summary: null },
      text: { format: { type: 'text' }, verbosity: 'low' },
    })
  })

  test('has the same items as the streamed reply', () => {
    const stream = payloads(writtenStream(openaiResponses, GOLDEN_EVENTS, { usage: GOLDEN_USAGE }))
    const final = recordOf(stream.at(-1)?.response)
    const response = writtenWhole(openaiResponses, GOLDEN_EVENTS, { usage: GOLDEN_USAGE })
    expect(withoutIds(response)).toEqual(withoutIds(final))
    expect(response.usage).toEqual(final.usage)
  })

  test('has reasoning, text, refusals, citations, pictures and calls, each in its own item', () => {
    const events: ReplyEvent[] = [
      { kind: 'reasoning', text: 'hm' },
      { kind: 'text', text: 'yes' },
      { kind: 'citation', citation: { url: 'https://a.example', title: 'A', start: 0, end: 3 } },
      { kind: 'refusal', text: 'no' },
      { kind: 'image', data: 'AAAA', mime: 'image/png' },
      { kind: 'call', call: 0, id: 'c1', name: 'look' },
      { kind: 'call', call: 1, id: 'c2', name: 'shell', custom: true },
      { kind: 'arguments', call: 1, text: 'ls' },
    ]
    const citation = { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 0, end_index: 3 }
    expect(withoutIds(writtenWhole(openaiResponses, events))).toEqual([
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
      {
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'yes', annotations: [citation], logprobs: [] }],
      },
      { type: 'message', status: 'completed', role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] },
      { type: 'image_generation_call', status: 'completed', result: 'AAAA', output_format: 'png' },
      { type: 'function_call', status: 'completed', call_id: 'c1', name: 'look', arguments: '{}' },
      { type: 'custom_tool_call', status: 'completed', call_id: 'c2', name: 'shell', input: 'ls' },
    ])
  })

  test.each([
    ['length', 'max_output_tokens'],
    ['filter', 'content_filter'],
  ] as const)('that ended for %s is incomplete', (stop, reason) => {
    const response = writtenWhole(openaiResponses, [
      { kind: 'text', text: 'half' },
      { kind: 'stop', reason: stop },
    ])
    expect(response).toMatchObject({ status: 'incomplete', incomplete_details: { reason }, completed_at: null })
    expect(response.output).toMatchObject([{ status: 'incomplete' }])
  })

  test('has the transcript of a spoken reply', () => {
    const response = writtenWhole(openaiResponses, [{ kind: 'audio', audio: { transcript: 'hi', data: 'AAAA' } }])
    expect(response.output).toMatchObject([{ content: [{ text: 'hi' }] }])
  })
})

describe('calls of renamed tools', () => {
  const tools = [
    { type: 'namespace', name: 'crm', tools: [{ type: 'function', name: 'find' }] },
    { type: 'local_shell' },
  ]
  const events: ReplyEvent[] = [
    { kind: 'call', call: 0, id: 'c1', name: 'crm__find' },
    { kind: 'arguments', call: 0, text: '{"a":1}' },
    { kind: 'call', call: 1, id: 'c2', name: 'local_shell' },
    { kind: 'arguments', call: 1, text: '{"command":["ls"],"timeout_ms":5}' },
  ]
  const expected = [
    { type: 'function_call', status: 'completed', call_id: 'c1', name: 'find', namespace: 'crm', arguments: '{"a":1}' },
    {
      type: 'local_shell_call',
      status: 'completed',
      call_id: 'c2',
      action: { type: 'exec', command: ['ls'], env: {}, timeout_ms: 5 },
    },
  ]

  test("have the client's names, whole and streamed", () => {
    const context = replyContext({ body: { tools } })
    expect(withoutIds(writtenWhole(openaiResponses, events, { context }))).toEqual(expected)
    const done = payloads(writtenStream(openaiResponses, events, { context }))
      .filter(({ type }) => type === 'response.output_item.done')
      .map(({ item }) => {
        const { id: _, ...rest } = recordOf(item)
        return rest
      })
    expect(done).toEqual(expected)
  })
})
