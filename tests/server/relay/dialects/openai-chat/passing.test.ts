import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { plainUsage } from '../../../../../server/relay/charging/usage.ts'
import { openaiChat } from '../../../../../server/relay/dialects/openai-chat/dialect.ts'
import { GOLDEN_CHAT } from '../../../../support/golden-messages.ts'
import {
  chunk,
  DONE,
  say,
  startUpstream,
  stopChunk,
  usage,
  usageChunk,
} from '../../../../support/hand-made-upstream.ts'
import { payloads, replyContext } from '../../../../support/reply-context.ts'
import { sse, streamEvents } from '../../../../support/wire.ts'

const WANTS_USAGE = { body: { stream_options: { include_usage: true } } }
const begin = chunk({ role: 'assistant', content: '' })
const call = (fields: object) => chunk({ tool_calls: [fields] })

/** What a client gets for these bytes of an upstream, and its end. */
function passed(wire: string, context: Parameters<typeof replyContext>[0] = {}, reported = true): string {
  const forwarder = openaiChat.forwarder(replyContext(context))
  const parts = streamEvents(wire).map((event) => String(forwarder.forward(event) ?? ''))
  return parts.join('') + forwarder.end(reported ? undefined : plainUsage(2, 3))
}

/** What the official client makes of bytes. */
async function read(wire: string) {
  const { url } = await startUpstream(({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(wire)
  })
  const client = new OpenAI({ apiKey: 'sk-test', baseURL: url, maxRetries: 0 })
  const stream = client.chat.completions.stream({ model: 'm', messages: [{ role: 'user', content: 'hi' }] })
  return (await stream.finalChatCompletion()).choices
}

describe('bytes are forwarded', () => {
  test.each(['\n', '\r\n'])('unchanged if valid, with %j as line ends', (end) => {
    const wire = (sse(...GOLDEN_CHAT) + DONE).replaceAll('\n', end)
    expect(passed(wire, WANTS_USAGE).replaceAll('\r\n', '\n')).toBe(sse(...GOLDEN_CHAT) + DONE)
    const forwarder = openaiChat.forwarder(replyContext(WANTS_USAGE))
    for (const event of streamEvents(wire)) expect([event.bytes, undefined]).toContain(forwarder.forward(event))
  })

  const odd: Record<string, unknown[]> = {
    'a role in each delta': [say('a'), say('b')].map(({ choices: [choice], ...rest }) => ({
      ...rest,
      choices: [{ ...choice, delta: { role: 'assistant', ...choice?.delta } }],
    })),
    'unknown fields and numbers as they were written': [
      begin,
      '{"choices":[],"x":1.0,"usage":{"a":12345678901234567890}}',
    ],
    'the whole message repeated at the end': [
      begin,
      say('a'),
      { ...begin, choices: [{ index: 0, message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' }] },
    ],
    'an unknown finish reason': [begin, say('a'), stopChunk('end_turn')],
    'several choices': [
      begin,
      { ...begin, choices: [{ index: 1, delta: { role: 'assistant' }, finish_reason: 'stop' }] },
    ],
    'calls that are numbered well': [
      begin,
      call({ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }),
      call({ index: 0, function: { arguments: '{}' } }),
      call({ index: 1, id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } }),
      call({ index: 0, id: '', function: { name: null, arguments: ' ' } }),
    ],
  }
  test.each(Object.entries(odd))('with %s', (_, chunks) => {
    expect(passed(sse(...chunks) + DONE, WANTS_USAGE).startsWith(sse(...chunks))).toBe(true)
  })
})

describe('the official client reads', () => {
  const MEANT = [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }]
  const streams: Record<string, unknown[]> = {
    'chunks without choices': [begin, { type: 'ping' }, { id: 'x', choices: null }, say('hello'), stopChunk()],
    'a reply without roles': [say('hel'), say('lo'), stopChunk()],
    'choices without an index': [
      { ...begin, choices: [{ delta: { role: 'assistant', content: 'hello' } }] },
      { ...begin, choices: [{ delta: {}, finish_reason: 'stop' }] },
    ],
    'an empty role': [chunk({ role: '', content: 'hello' }), stopChunk()],
    'empty finish reasons': [
      chunk({ role: 'assistant', content: 'hel' }, ''),
      chunk({ content: 'lo' }, 'null'),
      stopChunk(),
    ],
    'a reply without a finish reason': [begin, say('hello')],
    'a whole answer in one event': [
      { ...begin, choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }] },
    ],
    'deltas of null': [begin, chunk(null as never), say('hello'), stopChunk()],
  }
  test.each(Object.entries(streams))('%s', async (_, chunks) => {
    expect(await read(passed(sse(...chunks) + DONE))).toMatchObject(MEANT)
  })

  test('a whole reply without frames', async () => {
    const whole = { ...begin, choices: [{ index: 0, message: { content: 'hello' }, finish_reason: 'stop' }] }
    const [event] = streamEvents(sse(whole))
    const forwarder = openaiChat.forwarder(replyContext())
    const bytes = Buffer.from(`${JSON.stringify(whole)}\n\n`)
    expect(
      await read(String(forwarder.forward({ ...event, bytes } as never)) + forwarder.end(undefined)),
    ).toMatchObject(MEANT)
  })

  const f = (name: string, args = '') => ({ function: { ...(name && { name }), arguments: args } })
  const type = 'function'
  const called: Record<string, object[]> = {
    'calls without an index': [
      { id: 'a', type, ...f('one') },
      f('', '{"x":'),
      f('', '1}'),
      { id: 'b', type, ...f('two', '{}') },
    ],
    'calls that count from 1': [
      { index: 1, id: 'a', type, ...f('one', '{"x":1}') },
      { index: 2, id: 'b', type, ...f('two', '{}') },
    ],
    'calls at the places of content blocks': [
      { index: 2, id: 'a', type, ...f('one') },
      { index: 2, ...f('', '{"x":1}') },
      { index: 5, id: 'b', type, ...f('two', '{}') },
    ],
    'two calls at one index': [
      { index: 0, id: 'a', type, ...f('one', '{"x":1}') },
      { index: 0, id: 'b', type, ...f('two', '{') },
      { index: 0, ...f('', '}') },
    ],
  }
  test.each(Object.entries(called))('%s', async (_, deltas) => {
    const wire = sse(begin, ...deltas.map(call), stopChunk('tool_calls')) + DONE
    expect(await read(passed(wire))).toMatchObject([
      {
        finish_reason: 'tool_calls',
        message: {
          tool_calls: [
            { id: 'a', function: { name: 'one', arguments: '{"x":1}' } },
            { id: 'b', function: { name: 'two', arguments: '{}' } },
          ],
        },
      },
    ])
  })

  test('one call instead of a list', async () => {
    const only = chunk({ tool_calls: { id: 'a', type, ...f('one', '{}') } })
    const [choice] = await read(passed(sse(begin, only) + DONE))
    expect(choice).toMatchObject({ finish_reason: 'tool_calls', message: { tool_calls: [{ id: 'a' }] } })
  })

  test('arguments as written by the model, valid or not', async () => {
    const wire = sse(begin, call({ index: 0, id: 'a', type, ...f('one', '{"x":') }), stopChunk('tool_calls')) + DONE
    const [choice] = await read(passed(wire))
    expect(choice?.message.tool_calls).toMatchObject([{ function: { arguments: '{"x":' } }])
  })
})

describe('the usage', () => {
  const wire = sse({ ...say('a'), usage: null }, stopChunk(), usageChunk(usage(1, 2))) + DONE

  test('is forwarded only to clients that requested it', () => {
    expect(payloads(passed(wire, WANTS_USAGE)).at(-1)?.usage).toEqual(usage(1, 2))
    expect(passed(wire)).not.toContain('usage')
  })

  test('in a chunk without choices is dropped unless requested', () => {
    expect(payloads(passed(sse(begin, stopChunk(), { id: 'x', usage: usage(1, 2) }) + DONE))).toHaveLength(2)
  })

  test('counted by the gateway is sent on request', () => {
    const passedBytes = passed(sse(begin, stopChunk()) + DONE, WANTS_USAGE, false)
    expect(payloads(passedBytes).at(-1)).toMatchObject({
      id: begin.id,
      choices: [],
      usage: { prompt_tokens: 2, total_tokens: 5 },
    })
    expect(passed(sse(begin, stopChunk()) + DONE, {}, false)).not.toContain('usage')
  })
})

describe('an upstream with its own model name', () => {
  const context = { renamesModel: true, model: 'asked' }

  test('is shown with the requested name', () => {
    const models = payloads(passed(sse(begin, say('a'), stopChunk()) + DONE, context)).map(({ model }) => model)
    expect(models).toEqual(['asked', 'asked', 'asked'])
  })

  test("does not forward Azure's content filter chunk", () => {
    const filter = { id: '', model: '', choices: [], prompt_filter_results: [{}] }
    expect(passed(sse(filter, begin, stopChunk()) + DONE, context)).not.toContain('prompt_filter_results')
  })
})
