import OpenAI from 'openai'
import type { Response, ResponseIncludable, ResponseInput } from 'openai/resources/responses/responses'
import { expect, test } from 'vitest'
import { type Wire as StrictWire, strictUpstream } from '../clients/upstreams.ts'
import { expectExactBooks } from '../support/books.ts'
import { CHANNEL_KEY, customer, MODEL, priceOf, setPrices } from '../support/gateway.ts'
import { type Exchange, sendJson, startUpstream } from '../support/hand-made-upstream.ts'
import { startServer } from '../support/server-process.ts'
import { onBoth } from '../support/toolkit.ts'

type Json = Record<string, unknown>
/** A request as an upstream received it: its messages, and where its thoughts and calls are in them. */
interface Wire {
  wire: StrictWire
  channel: Json
  /** The roles or types of all that the model is shown, in order. */
  outline(body: Json): unknown[]
}

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value : [])
const SIGNATURE = 'c2lnbmF0dXJl'
/** The first question, the model's thought and call, and the result of the call. */
const WIRES: readonly (Wire & { asked: unknown[]; answered: unknown[]; next: unknown[] })[] = [
  {
    wire: 'chat',
    channel: { setting: JSON.stringify({ dialects: ['openai-chat'] }) },
    outline: ({ messages }) =>
      listOf(messages).map(({ role, tool_calls, tool_call_id, content }) =>
        tool_calls ? [role, listOf(tool_calls)[0]?.id] : tool_call_id ? [role, tool_call_id, content] : [role, content],
      ),
    asked: [
      ['user', 'Weather?'],
      ['assistant', 'call_0123456789abcdefghijkl'],
      ['tool', 'call_0123456789abcdefghijkl', 'sunny'],
    ],
    answered: [['assistant', 'Paris: sunny']],
    next: [['user', 'Sure?']],
  },
  {
    wire: 'responses',
    channel: { setting: JSON.stringify({ dialects: ['openai-responses'] }) },
    outline: ({ input }) =>
      listOf(input).map(({ type, role, content, call_id, output, encrypted_content }) =>
        type === 'reasoning'
          ? [type, encrypted_content]
          : type === 'function_call'
            ? [type, call_id]
            : type === 'function_call_output'
              ? [type, call_id, output]
              : [role, textIn(content)],
      ),
    asked: [
      ['user', 'Weather?'],
      ['reasoning', SIGNATURE],
      ['function_call', 'call_0123456789abcdefghijkl'],
      ['function_call_output', 'call_0123456789abcdefghijkl', 'sunny'],
    ],
    answered: [['assistant', 'Paris: sunny']],
    next: [['user', 'Sure?']],
  },
  {
    wire: 'anthropic',
    channel: { type: 14 },
    outline: ({ messages }) =>
      listOf(messages).map(({ role, content }) => [
        role,
        ...(typeof content === 'string'
          ? [content]
          : listOf(content).map(({ text, signature, id, tool_use_id }) => text ?? signature ?? id ?? tool_use_id)),
      ]),
    asked: [
      ['user', 'Weather?'],
      ['assistant', SIGNATURE, 'toolu_0123456789abcdefghijkl'],
      ['user', 'toolu_0123456789abcdefghijkl'],
    ],
    answered: [['assistant', 'Paris: sunny']],
    next: [['user', 'Sure?']],
  },
  {
    wire: 'gemini',
    channel: { type: 24 },
    outline: ({ contents }) =>
      listOf(contents).map(({ role, parts }) => [
        role,
        ...listOf(parts).map(
          ({ text, thoughtSignature, functionResponse }) =>
            text ?? thoughtSignature ?? (functionResponse as Json | undefined)?.name,
        ),
      ]),
    asked: [
      ['user', 'Weather?'],
      ['model', SIGNATURE],
      ['user', 'weather'],
    ],
    answered: [['model', 'Paris: sunny']],
    next: [['user', 'Sure?']],
  },
]
const resultOf = ({ output }: Response) => ({
  type: 'function_call_output' as const,
  call_id: String(output.find((item) => item.type === 'function_call')?.call_id),
  output: 'sunny',
})
const textIn = (content: unknown) => (typeof content === 'string' ? content : listOf(content)[0]?.text)

const TOOL = {
  type: 'function' as const,
  name: 'weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  strict: false,
}

onBoth('a conversation that alternates between two gateway processes', (open) => {
  test.each(WIRES)('keeps its items, calls and reasoning, over an upstream of $wire', async (given) => {
    const { wire, channel, outline, asked, answered, next } = given
    const fixture = await open()
    const upstream = await startUpstream(strictUpstream(wire))
    await setPrices(fixture)
    await fixture.channel({ base_url: upstream.url, models: MODEL, key: CHANNEL_KEY, ...channel })
    const { key } = await customer(fixture)
    const servers = await Promise.all([startServer(fixture), startServer(fixture)])
    const [first, second] = servers.map(({ url }) => new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 }))
    const [one, other] = [first as OpenAI, second as OpenAI]
    // Without it, an upstream that stores nothing returns no thought that it could read later.
    const include: ResponseIncludable[] = ['reasoning.encrypted_content']
    const body = { model: MODEL, tools: [TOOL], reasoning: { effort: 'low' as const }, include }
    const outlines = () => upstream.seen.map((exchange) => outline(exchange.body))

    // Whole and streamed turns alternate, as do the processes.
    const called = await one.responses.create({ ...body, input: 'Weather?' })
    const result = resultOf(called)
    const told = await other.responses
      .stream({ ...body, previous_response_id: called.id, input: [result] })
      .finalResponse()
    const sure = await one.responses.create({ ...body, previous_response_id: told.id, input: 'Sure?' })
    expect(told.output_text).toBe('Paris: sunny')
    expect(sure.output_text).toBe('Paris: sunny')
    expect(outlines().slice(1)).toEqual([asked, [...asked, ...answered, ...next]])

    // The same items by reference, and in a conversation.
    const referred: ResponseInput = [
      { role: 'user', content: 'Weather?' },
      ...called.output.map(({ id }) => ({ type: 'item_reference' as const, id: String(id) })),
      result,
    ]
    await other.responses.create({ ...body, input: referred })
    const conversation = (await one.conversations.create({})).id
    const again = await other.responses.create({ ...body, conversation, input: 'Weather?' })
    await one.responses.stream({ ...body, conversation, input: [resultOf(again)] }).finalResponse()
    await other.responses.create({ ...body, conversation, input: 'Sure?' })
    expect(outlines()[3]).toEqual(asked)
    expect(outlines().slice(5)).toEqual([asked, [...asked, ...answered, ...next]])
    const { data } = await one.conversations.items.list(conversation, { limit: 100, order: 'asc' })
    expect(data.filter(({ type }) => type !== 'reasoning').map(({ type }) => type)).toEqual([
      ...['message', 'function_call', 'function_call_output', 'message', 'message', 'message'],
    ])

    const logs = await expectExactBooks(fixture)
    expect(logs.map(({ quota }) => quota)).toEqual(Array(7).fill(priceOf(20, 12)))
    // Both processes took part.
    for (const { errors } of servers) expect(errors()).toBe('')
  })

  test('continues at the account that stores it, with its thoughts there', async () => {
    const fixture = await open()
    const stores = [storingUpstream('one'), storingUpstream('two')]
    const upstreams = await Promise.all(stores.map(({ answer }) => startUpstream(answer)))
    await setPrices(fixture)
    const setting = JSON.stringify({ dialects: ['openai-responses'] })
    for (const { url } of upstreams) await fixture.channel({ base_url: url, models: MODEL, key: CHANNEL_KEY, setting })
    const { key } = await customer(fixture)
    const servers = await Promise.all([startServer(fixture), startServer(fixture)])
    const clients = servers.map(({ url }) => new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 }))
    const [one, other] = clients as [OpenAI, OpenAI]
    const body = { model: MODEL, tools: [TOOL] }

    // Both accounts begin conversations; each continues where it began.
    for (let turn = 0; turn < 6; turn++) {
      const called = await one.responses.create({ ...body, input: 'Weather?' })
      const told = await other.responses.create({ ...body, previous_response_id: called.id, input: [resultOf(called)] })
      const sure = await one.responses.create({ ...body, previous_response_id: told.id, input: 'Sure?' })
      expect(new Set([called, told, sure].map(({ id }) => id.split('_')[1])).size).toBe(1)
      expect(sure.output_text).toBe('Paris: sunny')
    }
    expect(stores.flatMap(({ contexts }) => contexts).filter((types) => types.length === 6)).toEqual(
      Array(6).fill(['message', 'reasoning', 'function_call', 'function_call_output', 'message', 'message']),
    )
    expect((await expectExactBooks(fixture)).map(({ quota }) => quota)).toEqual(Array(18).fill(priceOf(20, 12)))
  })
})

/** An upstream that stores its responses, and rejects what it does not know. `contexts`: the types of all items, by request. */
function storingUpstream(name: string) {
  const stored = new Map<string, Json[]>()
  const contexts: unknown[][] = []
  const answer = (exchange: Exchange) => {
    const { body } = exchange
    const previous = body.previous_response_id === undefined ? [] : stored.get(String(body.previous_response_id))
    if (!previous)
      return sendJson(
        exchange,
        { error: { message: 'Previous response not found', code: 'previous_response_not_found' } },
        404,
      )
    const input =
      typeof body.input === 'string' ? [{ type: 'message', role: 'user', content: body.input }] : listOf(body.input)
    const items = [...previous, ...input]
    contexts.push(items.map(({ type }) => type))
    const number = stored.size
    const text = [{ type: 'output_text', text: 'Paris: sunny', annotations: [] }]
    const output = items.some(({ type }) => type === 'function_call_output')
      ? [{ id: `msg_${name}_${number}`, type: 'message', role: 'assistant', status: 'completed', content: text }]
      : [
          { id: `rs_${name}_${number}`, type: 'reasoning', summary: [] },
          {
            id: `fc_${name}_${number}`,
            type: 'function_call',
            call_id: `call_${name}_${number}`,
            name: 'weather',
            arguments: '{}',
          },
        ]
    const id = `resp_${name}_${number}`
    stored.set(id, [...items, ...output])
    const usage = { input_tokens: 20, output_tokens: 12, total_tokens: 32 }
    return sendJson(exchange, { id, object: 'response', status: 'completed', model: MODEL, store: true, output, usage })
  }
  return { answer, contexts }
}
