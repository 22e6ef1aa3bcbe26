import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { charges } from '../../support/books.ts'
import { countInEarnest } from '../../support/counting.ts'
import { counted, exactBooks, expectRows, OUTPUT, openPairs, type Row } from '../../support/dialect-pairs.ts'
import { sendJson, startStream } from '../../support/hand-made-upstream.ts'
import { sse } from '../../support/wire.ts'
import { REPORTED, WIRES, type WireName } from '../../support/wires.ts'

countInEarnest()

type PerWire = Partial<Record<WireName, string>>

const { chat, completions, responses, messages, gemini } = WIRES
const step = (type: string, fields: object) => sse([type, { type, ...fields }])
const choice = (fields: object, more: object = {}) =>
  sse({ id: 'c1', model: 'm', choices: [{ index: 0, ...fields }], ...more })
const MESSAGE_STOP = step('message_stop', {})
const without = (wire: string, last: string) => wire.slice(0, wire.lastIndexOf(last))

/** A stream of Messages without any usage, and without its last event. */
const BARE_MESSAGES =
  step('message_start', { message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] } }) +
  messages.begin(OUTPUT).slice(messages.begin(OUTPUT).indexOf('event: content_block_start')) +
  step('message_delta', { delta: { stop_reason: 'end_turn' } })

const OUTPUT_ITEM = {
  id: 'msg_1',
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text: OUTPUT, annotations: [] }],
}
const BARE_END = step('response.completed', {
  response: { id: 'resp_1', object: 'response', status: 'completed', model: 'm' },
})

/** What is in each upstream's stream; pairs with others are not asked. */
function streaming(wires: PerWire, expected: Row['expected']): Row {
  return {
    behaviour: (exchange, wire) => {
      const name = (Object.keys(WIRES) as WireName[]).find((one) => WIRES[one] === wire)
      startStream(exchange)
      exchange.response.end(name && wires[name])
    },
    stream: true,
    expected,
    of: ({ wire }) => wire in wires,
  }
}

/** The usage that the upstream reported was charged, and the client may take the answer for whole. */
const sound =
  (content = OUTPUT) =>
  () => ({
    status: 200,
    content,
    ended: true,
    error: undefined,
    log: { prompt_tokens: 100, completion_tokens: 20, other: { attempts: 1 } },
  })

test('for any odd upstream the client gets a well-formed end, and the correct charge', async () => {
  const fixture = await openPairs()
  const calling = sound('')

  await expectRows(fixture, {
    'JSON to a stream': {
      behaviour: (exchange, wire) => sendJson(exchange, wire.whole(OUTPUT)),
      stream: true,
      expected: sound(),
    },
    'a stream to a whole request': {
      behaviour: (exchange, wire) => {
        startStream(exchange)
        exchange.response.end(wire.begin('One ') + wire.more('two three') + wire.end())
      },
      stream: false,
      expected: sound(),
    },
    'unknown events': streaming(
      {
        chat: chat.begin('One ') + chat.unknown + chat.more('two three') + chat.unknown + chat.end(),
        completions:
          completions.begin('One ') + completions.unknown + completions.more('two three') + completions.end(),
        responses: responses.begin('One ') + responses.unknown + responses.more('two three') + responses.end(),
        messages: messages.begin('One ') + messages.unknown + messages.more('two three') + messages.end(),
        gemini: gemini.begin('One ') + gemini.unknown + gemini.more('two three') + gemini.end(),
      },
      sound(),
    ),
    'a stop, but no last event': streaming(
      {
        chat: without(chat.begin(OUTPUT) + chat.end(), 'data: [DONE]'),
        completions: without(completions.begin(OUTPUT) + completions.end(), 'data: [DONE]'),
        messages: without(messages.begin(OUTPUT) + messages.end(), MESSAGE_STOP),
      },
      sound(),
    ),
    'no blank line after the last event': streaming(
      {
        chat: `${chat.begin(OUTPUT)}${chat.end()}`.trimEnd(),
        completions: `${completions.begin(OUTPUT)}${completions.end()}`.trimEnd(),
        responses: `${responses.begin(OUTPUT)}${responses.end()}`.trimEnd(),
        messages: `${messages.begin(OUTPUT)}${messages.end()}`.trimEnd(),
        gemini: `${gemini.begin(OUTPUT)}${gemini.end()}`.trimEnd(),
      },
      sound(),
    ),
    'a last event, but no stop': streaming(
      { chat: `${chat.begin(OUTPUT)}${sse({ choices: [], usage: REPORTED.chat })}data: [DONE]\n\n` },
      sound(),
    ),
    'empty lists': streaming(
      {
        chat:
          sse({ id: '', model: '', choices: [], usage: null }) + chat.begin(OUTPUT) + sse({ choices: [] }) + chat.end(),
        completions: sse({ choices: [] }) + completions.begin(OUTPUT) + completions.end(),
        gemini: sse({ candidates: [] }, { candidates: [{ index: 0 }] }) + gemini.begin(OUTPUT) + gemini.end(),
      },
      sound(),
    ),
    'nothing but [DONE] at the end': streaming({ responses: `${responses.begin(OUTPUT)}data: [DONE]\n\n` }, (pair) => ({
      content: OUTPUT,
      ended: true,
      error: undefined,
      log: counted(pair),
    })),
    'errors of null': streaming(
      {
        chat: choice({ delta: { content: OUTPUT } }, { error: null }) + chat.end(),
        gemini: sse({ error: null }) + gemini.begin(OUTPUT) + gemini.end(),
      },
      sound(),
    ),
    'usage in each event': streaming(
      {
        chat:
          choice(
            { delta: { role: 'assistant', content: 'One ' } },
            { usage: { prompt_tokens: 100, completion_tokens: 1 } },
          ) +
          choice({ delta: { content: 'two three' } }, { usage: { prompt_tokens: 100, completion_tokens: 3 } }) +
          choice({ delta: {}, finish_reason: 'stop' }, { usage: REPORTED.chat }) +
          'data: [DONE]\n\n',
        gemini:
          sse({
            candidates: [{ content: { parts: [{ text: OUTPUT }] } }],
            usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 2 },
          }) + gemini.end(),
      },
      sound(),
    ),
    'usage inside a choice': streaming(
      {
        chat:
          choice({ delta: { role: 'assistant', content: OUTPUT } }) +
          choice({ delta: {}, finish_reason: 'stop', usage: REPORTED.chat }) +
          'data: [DONE]\n\n',
      },
      sound(),
    ),
    'usage before the text': streaming(
      {
        chat: sse({ choices: [], usage: REPORTED.chat }) + chat.begin(OUTPUT) + chat.end({ usage: false }),
        messages:
          step('message_start', {
            message: {
              id: 'msg_1',
              type: 'message',
              role: 'assistant',
              model: 'm',
              content: [],
              usage: REPORTED.messages,
            },
          }) +
          messages.begin(OUTPUT).slice(messages.begin(OUTPUT).indexOf('event: content_block_start')) +
          messages.end({ usage: { output_tokens: 20 } }),
      },
      sound(),
    ),
    'usage after the stop': streaming(
      { gemini: gemini.begin(OUTPUT) + gemini.end({ usage: false }) + sse({ usageMetadata: REPORTED.gemini }) },
      sound(),
    ),
    'a call whose arguments were cut': streaming(
      {
        chat:
          choice({
            delta: {
              role: 'assistant',
              tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '{"x":' } }],
            },
          }) +
          choice({ delta: {}, finish_reason: 'tool_calls' }, { usage: REPORTED.chat }) +
          'data: [DONE]\n\n',
        messages:
          without(messages.begin(''), 'event: content_block_start') +
          step('content_block_start', {
            index: 0,
            content_block: { type: 'tool_use', id: 'c', name: 'f', input: {} },
          }) +
          step('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json: '{"x":' } }) +
          messages.end(),
      },
      calling,
    ),
    'a call of nothing': streaming(
      {
        chat:
          choice({
            delta: { role: 'assistant', tool_calls: [{ index: 0, function: { arguments: '{}' } }, null, {}] },
          }) +
          choice({ delta: { content: OUTPUT } }) +
          chat.end(),
        gemini:
          sse({ candidates: [{ content: { parts: [{ functionCall: {} }, { functionCall: null }, null, {}] } }] }) +
          gemini.begin(OUTPUT) +
          gemini.end(),
      },
      sound(),
    ),
    'no place for a usage': streaming({ messages: BARE_MESSAGES }, (pair) => ({
      content: OUTPUT,
      ended: true,
      error: undefined,
      log: counted(pair),
    })),
    'a usage that cannot be': streaming(
      { chat: chat.begin(OUTPUT) + chat.end({ usage: { prompt_tokens: 1e12, completion_tokens: -5 } }) },
      (pair) => ({ content: OUTPUT, ended: true, log: counted(pair) }),
    ),
  })

  expect((await charges(fixture)).filter(({ other }) => other.includes('incomplete'))).toEqual([])
})

test('official clients read replies of odd upstreams in their own format', async () => {
  const fixture = await openPairs()
  const odd: PerWire = {
    chat: `${sse({ type: 'ping' }, { choices: [{ delta: { content: OUTPUT }, finish_reason: '' }] })}data: [DONE]\n\n`,
    messages: BARE_MESSAGES,
    responses:
      responses.begin(OUTPUT) + step('response.output_item.done', { output_index: 0, item: OUTPUT_ITEM }) + BARE_END,
    gemini: `: hello\n${gemini.begin(OUTPUT)}event: x\n${gemini.end()}`.trimEnd(),
  }
  fixture.behave(streaming(odd, () => ({})).behaviour)
  const { url, key: apiKey } = fixture
  const openai = new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 })
  const hello = [{ role: 'user' as const, content: 'hello' }]

  const chatted = await openai.chat.completions.stream({ model: 'test-chat', messages: hello }).finalChatCompletion()
  expect(chatted.choices).toMatchObject([{ message: { role: 'assistant', content: OUTPUT }, finish_reason: 'stop' }])

  const response = await openai.responses.stream({ model: 'test-responses', input: 'hello' }).finalResponse()
  expect(response).toMatchObject({ status: 'completed', output_text: OUTPUT })

  const anthropic = new Anthropic({ apiKey, baseURL: url, maxRetries: 0 })
  const body = { model: 'test-messages', max_tokens: 9, messages: hello }
  const message = await anthropic.messages.stream(body).finalMessage()
  expect(message).toMatchObject({ content: [{ text: OUTPUT }], stop_reason: 'end_turn', usage: { output_tokens: 0 } })

  const google = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } })
  let text = ''
  for await (const piece of await google.models.generateContentStream({ model: 'test-gemini', contents: 'hello' })) {
    text += piece.text ?? ''
  }
  expect(text).toBe(OUTPUT)
  expect(await exactBooks(fixture)).toHaveLength(4)
})
