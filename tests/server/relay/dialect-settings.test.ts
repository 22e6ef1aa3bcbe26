import { expect, test } from 'vitest'
import { isRecord, recordOf } from '../../../core/records.ts'
import { objectsOf } from '../../../server/relay/json.ts'
import { post } from '../../support/chat.ts'
import { CLIENTS, type ClientName } from '../../support/clients.ts'
import {
  expectRows,
  OUTPUT,
  openPairs,
  PAIRS,
  type Pair,
  type PairFixture,
  type Row,
} from '../../support/dialect-pairs.ts'
import { type Exchange, sendJson, startStream } from '../../support/hand-made-upstream.ts'
import { sse } from '../../support/wire.ts'
import { REPORTED, WIRES, type WireName } from '../../support/wires.ts'

const clientOf = ({ client }: Pair) => (Object.keys(CLIENTS) as ClientName[]).find((name) => CLIENTS[name] === client)
const isNative = (pair: Pair) => clientOf(pair) === pair.wire
const step = (type: string, fields: object) => sse([type, { type, ...fields }])
const paid = { prompt_tokens: 100, completion_tokens: 20 }

test('force_format: vendor fields of replies reach no client', async () => {
  const fixture = await openPairs({ setting: { force_format: true } })
  const plain = await openPairs()
  for (const { behave } of [fixture, plain]) {
    behave((exchange, wire) => {
      if (!(exchange.body.stream || exchange.path.includes(':stream'))) {
        return sendJson(exchange, { ...wire.whole(OUTPUT), vendor_extra: 1 })
      }
      startStream(exchange)
      exchange.response.end(wire.begin(OUTPUT) + sse(['vendor_extra', { type: 'vendor_extra' }]) + wire.end())
    })
  }

  const both = PAIRS.flatMap((pair) => [false, true].map((stream) => ({ pair, stream })))
  const answers = both.map(async ({ pair, stream }) => {
    const request = pair.client.ask(pair.model, stream)
    const [forced, plainly] = await Promise.all([post({ ...fixture, ...request }), post({ ...plain, ...request })])
    expect(pair.client.read(forced.text, stream)).toMatchObject({ content: OUTPUT, ended: true, used: [100, 20] })
    expect(forced.text).not.toContain('vendor_extra')
    expect(plainly.text.includes('vendor_extra')).toBe(isNative(pair))
  })
  await Promise.all(answers)
})

test('status_code_mapping: a client of any dialect gets the mapped status of the channel', async () => {
  const fixture = await openPairs({ channel: { status_code_mapping: '{"418":"422"}' } })
  fixture.behave((exchange) => sendJson(exchange, { error: { message: 'a teapot' } }, 418))

  for (const { client, model } of PAIRS) {
    const answer = await post({ ...fixture, ...client.ask(model, true) })
    expect(answer.status).toBe(422)
    expect(client.read(answer.text, false).error).toContain('a teapot')
  }
})

test('thinking_to_content: reasoning is text in every dialect, whole and in streams', async () => {
  const fixture = await openPairs({ setting: { thinking_to_content: true } })
  const row = (stream: boolean, of: Row['of']): Row => ({
    behaviour: (exchange, wire) => {
      const name = (Object.keys(WIRES) as WireName[]).find((one) => WIRES[one] === wire) as keyof typeof THINKING
      if (!stream) return sendJson(exchange, THINKING[name].whole)
      startStream(exchange)
      exchange.response.end(THINKING[name].stream + wire.end())
    },
    stream,
    expected: () => ({ content: `<think>\nHm.\n</think>\n${OUTPUT}`, ended: true, error: undefined, log: paid }),
    ...(of && { of }),
  })
  const thinks = ({ wire }: Pair) => wire in THINKING

  await expectRows(fixture, { whole: row(false, thinks), stream: row(true, thinks) })
})

const chatted = { id: 'c1', model: 'm' }
const reasoningItem = { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] }
const messageItem = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: OUTPUT }],
}
const thoughtParts = { role: 'model', parts: [{ text: 'Hm.', thought: true }] }

/** A thought, and `SAID`. */
const THINKING = {
  chat: {
    whole: {
      ...chatted,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: OUTPUT, reasoning_content: 'Hm.' },
          finish_reason: 'stop',
        },
      ],
      usage: REPORTED.chat,
    },
    stream:
      sse({ ...chatted, choices: [{ index: 0, delta: { role: 'assistant', reasoning_content: 'Hm.' } }] }) +
      WIRES.chat.more(OUTPUT),
  },
  responses: {
    whole: { id: 'r', status: 'completed', output: [reasoningItem, messageItem], usage: REPORTED.responses },
    stream:
      step('response.output_item.done', { output_index: 0, item: reasoningItem }) +
      step('response.output_text.delta', { output_index: 1, content_index: 0, item_id: 'msg_1', delta: OUTPUT }),
  },
  messages: {
    whole: {
      id: 'msg_1',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
        { type: 'text', text: OUTPUT },
      ],
      stop_reason: 'end_turn',
      usage: REPORTED.messages,
    },
    stream:
      step('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } }) +
      step('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } }) +
      step('content_block_delta', { index: 0, delta: { type: 'signature_delta', signature: 'c2ln' } }) +
      step('content_block_stop', { index: 0 }) +
      WIRES.messages.more(OUTPUT),
  },
  gemini: {
    whole: {
      candidates: [
        {
          content: { ...thoughtParts, parts: [...thoughtParts.parts, { text: OUTPUT }] },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      usageMetadata: REPORTED.gemini,
    },
    stream: sse({ candidates: [{ content: thoughtParts, index: 0 }] }) + WIRES.gemini.more(OUTPUT),
  },
}

/** The instructions that a request has of its own, in each dialect. */
const OWN: Record<ClientName, object> = {
  chat: {
    messages: [
      { role: 'system', content: 'OWN' },
      { role: 'user', content: 'hello' },
    ],
  },
  completions: {},
  responses: { instructions: 'OWN' },
  messages: { system: [{ type: 'text', text: 'OWN' }] },
  gemini: { systemInstruction: { parts: [{ text: 'OWN' }] } },
}

/** The instructions in what an upstream was asked, or all it was asked where nothing is told apart. */
function instructionsIn({ body }: Pick<Exchange, 'body'>, pair: Pair): string {
  const isLegacy = clientOf(pair) === 'completions'
  const inMessages = objectsOf(body.messages).filter(({ role }) => role === 'system' || isLegacy)
  const prompts = [...inMessages.map(({ content }) => content), body.instructions, body.system, body.prompt]
  const texts = (value: unknown): string[] => {
    if (Array.isArray(value)) return value.flatMap(texts)
    return isRecord(value) ? texts(value.text) : typeof value === 'string' ? [value] : []
  }
  return [...texts(prompts), ...texts(recordOf(body.systemInstruction).parts)].join(' ').replace(/\s+/g, ' ')
}

/** What the upstream of a pair is asked when its client says this. */
async function askedOf(fixture: PairFixture, pair: Pair, more: object = {}, headers = {}) {
  const { path, body } = pair.client.ask(pair.model, true)
  const raw = JSON.stringify({ ...body, ...more }).replace('{', '{ "x":1.0, ')
  const answer = await post({ ...fixture, path, body: raw, headers })
  const exchange = fixture.upstream.seen.at(-1) as Exchange
  return { name: pair.name, raw, answer, exchange, got: pair.client.read(answer.text, true) }
}

test("system_prompt with override precedes the client's text; params and headers apply to every format", async () => {
  const fixture = await openPairs({
    setting: {
      system_prompt: 'PROMPT',
      system_prompt_override: true,
      param_override: { vendor_param: 0 },
      header_override: { 'x-team': '{client_header:x-trace}', 'user-agent': 'gateway' },
    },
  })

  for (const pair of PAIRS) {
    const ownPrompt = OWN[clientOf(pair) as ClientName]
    const none = await askedOf(fixture, pair, {}, { 'x-trace': 'abc' })
    const both = await askedOf(fixture, pair, ownPrompt)

    const end = clientOf(pair) === 'completions' ? ' hello' : ''
    expect({ name: none.name, ...none.got, told: instructionsIn(none.exchange, pair) }).toMatchObject({
      name: pair.name,
      content: OUTPUT,
      told: `PROMPT${end}`,
    })
    const expectedPrompt = Object.keys(ownPrompt).length > 0 ? 'PROMPT OWN' : `PROMPT${end}`
    expect({ name: both.name, told: instructionsIn(both.exchange, pair) }).toEqual({
      name: pair.name,
      told: expectedPrompt,
    })
    expect(none.exchange.body).toMatchObject({ vendor_param: 0 })
    expect(none.exchange.headers).toMatchObject({ 'x-team': 'abc', 'user-agent': 'gateway' })
    expect(both.exchange.headers).not.toHaveProperty('x-team')
  }
})

test('system_prompt without override applies only if there is none; a native body is forwarded unchanged', async () => {
  const setting = { system_prompt: 'PROMPT', pass_through_body_enabled: true, param_override: { vendor_param: 0 } }
  const fixture = await openPairs({ setting })

  for (const pair of PAIRS) {
    const ownPrompt = OWN[clientOf(pair) as ClientName]
    const { exchange, raw, got } = await askedOf(fixture, pair, ownPrompt)
    const hasOwn = Object.keys(ownPrompt).length > 0

    expect({ name: pair.name, ...got }).toMatchObject({ name: pair.name, content: OUTPUT, ended: true })
    if (hasOwn)
      expect({ name: pair.name, told: instructionsIn(exchange, pair) }).toEqual({ name: pair.name, told: 'OWN' })
    if (hasOwn && isNative(pair)) expect(exchange.raw.toString()).toBe(raw)
    else expect('vendor_param' in exchange.body).toBe(!isNative(pair))
    expect(instructionsIn((await askedOf(fixture, pair)).exchange, pair)).toMatch(/^PROMPT/)
  }
})

test('dialects: each client is served in its own format if the upstream speaks it, else translated', async () => {
  const setting = { dialects: ['openai-completions', 'anthropic-messages', 'openai-chat'] }
  const fixture = await openPairs({ setting, channel: { type: 1 } })
  const paths: Record<ClientName, string> = {
    chat: '/v1/chat/completions',
    completions: '/v1/completions',
    messages: '/v1/messages',
    responses: '/v1/messages',
    gemini: '/v1/messages',
  }

  for (const [name, client] of Object.entries(CLIENTS) as [ClientName, (typeof CLIENTS)['chat']][]) {
    const answer = await post({ ...fixture, ...client.ask('test-chat', true) })
    expect(client.read(answer.text, true)).toMatchObject({ content: OUTPUT, ended: true, used: [100, 20] })
    expect(fixture.upstream.seen.at(-1)?.path).toBe(paths[name])
  }
})
