import { expect, test } from 'vitest'
import { expectExactBooks } from '../../support/books.ts'
import { post } from '../../support/chat.ts'
import { MODEL, openTestRelay, type RelayOptions, serve, type TestRelay } from '../../support/gateway.ts'
import { type Exchange, sendJson } from '../../support/hand-made-upstream.ts'
import { onBoth } from '../../support/toolkit.ts'

const TOOLS = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }]
const CALL_ID = 'call_AbCdEfGhIjKlMnOpQrStUv'
const TOOLU_ID = 'toolu_AbCdEfGhIjKlMnOpQrStUv'

const ofResponses = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  model: MODEL,
  store: false,
  output: [
    {
      id: 'rs_1',
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'Look first.' }],
      encrypted_content: 'c2VjcmV0',
    },
    { id: 'fc_1', type: 'function_call', call_id: CALL_ID, name: 'look', arguments: '{}' },
  ],
  usage: { input_tokens: 11, output_tokens: 3 },
}
const ofClaude = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: MODEL,
  content: [
    { type: 'thinking', thinking: 'Look first.', signature: 'c2ln' },
    { type: 'tool_use', id: TOOLU_ID, name: 'look', input: {} },
  ],
  stop_reason: 'tool_use',
  usage: { input_tokens: 11, output_tokens: 3 },
}
const ofGemini = {
  candidates: [
    {
      content: { role: 'model', parts: [{ functionCall: { name: 'look', args: {} }, thoughtSignature: 'c2ln' }] },
      finishReason: 'STOP',
    },
  ],
  usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 3, totalTokenCount: 14 },
}

const WIRES = [
  {
    wire: 'Responses',
    channel: { setting: JSON.stringify({ dialects: ['openai-responses'] }) },
    reply: ofResponses,
    thought: { type: 'reasoning', id: 'rs_1', encrypted_content: 'c2VjcmV0' },
  },
  { wire: 'Anthropic', channel: { type: 14 }, reply: ofClaude, thought: { type: 'thinking', signature: 'c2ln' } },
  { wire: 'Gemini', channel: { type: 24 }, reply: ofGemini, thought: { thoughtSignature: 'c2ln' } },
]

onBoth('what a model thought before a tool call', (open) => {
  const relay = (answer: (exchange: Exchange) => unknown, options: RelayOptions = {}) =>
    openTestRelay(answer, {
      ...options,
      gateway: async ({ settings }) => {
        const fixture = await open()
        const gateway = await serve(fixture, { settings })
        return { ...fixture, gateway, url: gateway.url }
      },
    })
  const ask = ({ key }: TestRelay, url: string, messages: object[]) =>
    post({ url, key, body: { model: MODEL, messages, tools: TOOLS, reasoning_effort: 'low' } })
  const begin = [{ role: 'user', content: 'Hi' }]
  const afterCall = (reply: { choices?: unknown }) => {
    const [{ message }] = reply.choices as [{ message: { tool_calls: { id: string }[] } }]
    const [call] = message.tool_calls
    // The client keeps nothing but the call.
    const { tool_calls } = message
    return [
      ...begin,
      { role: 'assistant', content: null, tool_calls },
      { role: 'tool', tool_call_id: call?.id, content: 'seen' },
    ]
  }

  test.each(WIRES)('is sent back to $wire from another process', async ({ channel, reply, thought }) => {
    const fixture = await relay((exchange) => sendJson(exchange, reply), { channel })
    const other = await serve({ ...fixture, toolkit: await fixture.another() })
    const { json } = await ask(fixture, fixture.url, begin)
    await ask(fixture, other.url, afterCall(json))
    expect(JSON.stringify(fixture.upstream.seen[1]?.body)).toContain(JSON.stringify(thought).slice(1, -1).split(',')[0])
    const [, value] = Object.entries(thought).at(-1) as [string, string]
    expect(JSON.stringify(fixture.upstream.seen[1]?.body)).toContain(value)
    expect(await expectExactBooks(fixture)).toHaveLength(2)
    const [row] = await fixture.toolkit.db.reader('kept_thoughts').select()
    expect(Buffer.from(row.content).toString('latin1')).not.toContain(value)
  })

  test('is sent back for a Gemini client that sends calls without their ids', async () => {
    const [{ channel, reply }] = WIRES as [(typeof WIRES)[number]]
    const fixture = await relay((exchange) => sendJson(exchange, reply), { channel })
    const question = { role: 'user', parts: [{ text: 'Hi' }] }
    const look = { functionDeclarations: [{ name: 'look' }] }
    const send = (contents: object[]) =>
      post({ ...fixture, path: `/v1beta/models/${MODEL}:generateContent`, body: { contents, tools: [look] } })
    await send([question])
    const called = { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] }
    const seen = { role: 'user', parts: [{ functionResponse: { name: 'look', response: { output: 'seen' } } }] }
    await send([question, called, seen])
    expect(JSON.stringify(fixture.upstream.seen[1]?.body)).toContain('c2VjcmV0')
    // The same call after another question is another call.
    await send([{ role: 'user', parts: [{ text: 'Bye' }] }, called, seen])
    expect(JSON.stringify(fixture.upstream.seen[2]?.body)).not.toContain('c2VjcmV0')
  })

  test('is not sent with a call of another user', async () => {
    const [{ channel, reply }] = WIRES as [(typeof WIRES)[number]]
    const fixture = await relay((exchange) => sendJson(exchange, reply), { channel })
    const { json } = await ask(fixture, fixture.url, begin)
    const stranger = await fixture.token(await fixture.user({ quota: 1_000_000 }))
    await ask({ ...fixture, key: `sk-${stranger.key}` }, fixture.url, afterCall(json))
    expect(fixture.upstream.seen).toHaveLength(2)
    expect(JSON.stringify(fixture.upstream.seen[1]?.body)).not.toContain('c2VjcmV0')
  })

  test('stays in memory if key or operator disable storage', async () => {
    const [{ channel, reply }] = WIRES as [(typeof WIRES)[number]]
    const fixture = await relay((exchange) => sendJson(exchange, reply), { channel, token: { store_responses: false } })
    const { json } = await ask(fixture, fixture.url, begin)
    await ask(fixture, fixture.url, afterCall(json))
    expect(JSON.stringify(fixture.upstream.seen[1]?.body)).toContain('c2VjcmV0')
    expect(await fixture.toolkit.db.reader('kept_thoughts').select()).toEqual([])
  })

  test('is removed after a day', async () => {
    let now = 1_800_000_000
    const { toolkit } = await open({ now: () => now })
    await toolkit.thoughts.add(1, CALL_ID, 'thought')
    expect(await toolkit.thoughts.find(1, [CALL_ID])).toEqual(new Map([[CALL_ID, 'thought']]))
    expect(await toolkit.thoughts.find(2, [CALL_ID])).toEqual(new Map())
    now += 24 * 3600
    expect(await toolkit.thoughts.find(1, [CALL_ID])).toEqual(new Map())
    expect(await toolkit.thoughts.trim()).toBe(1)
  })
})
