import { describe, expect, test } from 'vitest'
import { recordOf } from '../../../../../core/records.ts'
import { openaiResponses } from '../../../../../server/relay/dialects/openai-responses/dialect.ts'
import { GOLDEN_STREAM, goldenBytes } from '../../../../support/golden-responses.ts'
import { payloads, relayError, replyContext } from '../../../../support/reply-context.ts'
import { sse, streamEvents } from '../../../../support/wire.ts'

const passed = (wire: string, context = replyContext()) => {
  const forwarder = openaiResponses.forwarder(context)
  return streamEvents(wire)
    .map((event) => String(forwarder.forward(event) ?? ''))
    .join('')
}

describe('a native stream', () => {
  test('is forwarded unchanged, for any upstream model name', () => {
    expect(passed(goldenBytes())).toBe(goldenBytes())
    expect(passed(goldenBytes('\r\n'))).toBe(goldenBytes('\r\n'))
  })

  test('keeps unknown events', () => {
    const wire = sse(['response.future_thing', { type: 'response.future_thing', x: 1 }])
    expect(passed(wire)).toBe(wire)
  })

  test('has the requested name of a mapped model in its response objects, and is otherwise unchanged', () => {
    const events = payloads(passed(goldenBytes(), replyContext({ model: 'asked', renamesModel: true })))
    const expected = GOLDEN_STREAM.map((event) =>
      event.response ? { ...event, response: { ...recordOf(event.response), model: 'asked' } } : event,
    )
    expect(events).toEqual(expected)
  })

  test('is not rewritten if the names are equal', () => {
    expect(passed(goldenBytes(), replyContext({ model: 'm', renamesModel: true }))).toBe(goldenBytes())
  })

  test.each(['response.completed', 'response.incomplete', 'response.failed', 'error'])(
    'waits for its charge at %s',
    (type) => {
      const forwarder = openaiResponses.forwarder(replyContext())
      const isLast = streamEvents(goldenBytes() + sse([type, { type }])).map((event) => forwarder.isLast(event))
      expect(isLast.slice(0, GOLDEN_STREAM.length - 1)).not.toContain(true)
      expect(isLast.at(-1)).toBe(true)
    },
  )

  test('has nothing added after it', () => {
    expect(openaiResponses.forwarder(replyContext()).end(undefined)).toBe('')
  })

  test('that breaks off ends with its response as failed, with its complete items', () => {
    const forwarder = openaiResponses.forwarder(replyContext())
    const half = streamEvents(goldenBytes()).slice(0, 10)
    for (const event of half) forwarder.forward(event)
    const [failed] = payloads(forwarder.broken?.(relayError()) ?? '')
    expect(failed).toMatchObject({
      type: 'response.failed',
      sequence_number: 10,
      response: { id: 'resp', status: 'failed', output: [{ id: 'rs' }], error: { code: 'server_error' } },
    })
  })

  test('that breaks off ends with all fields that clients require, though the upstream sent none of them', () => {
    const forwarder = openaiResponses.forwarder(replyContext())
    const begun = sse(['response.created', { type: 'response.created', response: { id: 'resp', temperature: 0.5 } }])
    for (const event of streamEvents(begun)) forwarder.forward(event)
    const [failed] = payloads(forwarder.broken?.(relayError()) ?? '')
    expect(failed?.response).toMatchObject({
      id: 'resp',
      temperature: 0.5,
      instructions: null,
      tools: [],
      tool_choice: 'auto',
      completed_at: null,
    })
  })

  test('that breaks off before its start ends with an error event', () => {
    expect(payloads(openaiResponses.forwarder(replyContext()).broken?.(relayError()) ?? '')).toMatchObject([
      { type: 'error', message: relayError().message },
    ])
  })
})

describe('a native body', () => {
  test('has the requested name of a mapped model', () => {
    expect(openaiResponses.withModelName({ id: 'resp_1', model: 'theirs', x: 1 }, 'ours')).toEqual({
      id: 'resp_1',
      model: 'ours',
      x: 1,
    })
  })
})

describe('errors', () => {
  test("have OpenAI's format", () => {
    expect(openaiResponses.error(relayError()).body).toEqual({
      error: { message: relayError().message, type: 'upstream_error', param: null, code: 'upstream_broke' },
    })
  })

  test('at the end of a stream are a failed response', () => {
    expect(payloads(openaiResponses.errorEvent(relayError(), replyContext()))).toMatchObject([
      { type: 'response.failed', response: { status: 'failed', error: { code: 'server_error' } } },
    ])
  })
})
