import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { expectExactBooks, expectNothingHeld, otherOf, untilCharged } from '../support/books.ts'
import { ask, expectRefusal, post, send } from '../support/chat.ts'
import { MODEL, openTestRelay, priceOf, type RelayOptions, serve, type TestRelay } from '../support/gateway.ts'
import {
  completion,
  type Exchange,
  event,
  onlyRequest,
  sendJson,
  startStream,
  usage,
} from '../support/hand-made-upstream.ts'
import { onBoth } from '../support/toolkit.ts'

/*
 * An attack on the operator's account: a request lets the upstream run a tool that costs, and pays for its tokens alone.
 */

const RESPONSES = { setting: JSON.stringify({ dialects: ['openai-responses'] }) }
const CLAUDE = { type: 14 }
const GEMINI = { type: 24 }
const QUOTA_PER_DOLLAR = 500_000
const dollars = (amount: number) => Math.round(amount * QUOTA_PER_DOLLAR)
const TOKENS = priceOf(11, 3)

const unasked = ({ path, raw }: Exchange) => expect.fail(`The upstream was asked: ${path} ${raw}`)

function response(output: readonly object[], more: object = {}) {
  return {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model: MODEL,
    store: false,
    output: [...output, { id: 'msg_1', type: 'message', content: [{ type: 'output_text', text: 'Done' }] }],
    usage: { input_tokens: 11, output_tokens: 3 },
    ...more,
  }
}

function message(more: object, content: readonly object[] = []) {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: MODEL,
    content: [...content, { type: 'text', text: 'Done' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 11, output_tokens: 3, ...more },
  }
}

function content(more: object) {
  return {
    candidates: [{ content: { role: 'model', parts: [{ text: 'Done' }] }, finishReason: 'STOP', index: 0, ...more }],
    usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 3 },
    modelVersion: 'gemini-2.5-flash',
  }
}

const toResponses = (fixture: TestRelay, body: object) =>
  post({ ...fixture, path: '/v1/responses', body: { model: MODEL, input: 'hello', max_output_tokens: 100, ...body } })
const toClaude = (fixture: TestRelay, body: object) =>
  post({
    ...fixture,
    path: '/v1/messages',
    body: { model: MODEL, max_tokens: 100, messages: [{ role: 'user', content: 'hello' }], ...body },
  })
const toGemini = (fixture: TestRelay, body: object) =>
  post({
    ...fixture,
    path: `/v1beta/models/${MODEL}:generateContent`,
    body: { contents: [{ role: 'user', parts: [{ text: 'hello' }] }], ...body },
  })

/** The one charge, whose receipt gives the same sum. */
async function theCharge(fixture: TestRelay) {
  await untilCharged(fixture, 1)
  await expectNothingHeld(fixture)
  const [log] = await expectExactBooks(fixture)
  if (!log) throw new Error('There is no charge')
  const receipt = await fixture.toolkit.logs.receipt(fixture.root, log.id)
  expect(receipt).toMatchObject({ equal: true, charged: log.quota })
  return { quota: log.quota, content: log.content, other: otherOf(log), toolCalls: receipt.toolCalls }
}

onBoth('a hosted tool', (open) => {
  const relay = (answer: (exchange: Exchange) => unknown, options: RelayOptions = {}) =>
    openTestRelay(answer, {
      ...options,
      gateway: async ({ settings }) => {
        const fixture = await open()
        const gateway = await serve(fixture, { settings })
        return { ...fixture, gateway, url: gateway.url }
      },
    })

  test('of Responses is charged by the calls of the reply, and its receipt shows them', async () => {
    const searches = [1, 2, 3].map((id) => ({ id: `ws_${id}`, type: 'web_search_call', action: { type: 'search' } }))
    const opened = { id: 'ws_4', type: 'web_search_call', action: { type: 'open_page' } }
    const fixture = await relay((exchange) => sendJson(exchange, response([...searches, opened])), {
      channel: RESPONSES,
    })

    const { status } = await toResponses(fixture, { tools: [{ type: 'web_search' }] })

    expect(status).toBe(200)
    expect(onlyRequest(fixture.upstream).body.max_tool_calls).toBe(10)
    const { quota, other, content: text, toolCalls } = await theCharge(fixture)
    expect(quota).toBe(TOKENS + dollars(0.03))
    expect(toolCalls).toEqual([{ tool: 'web_search', calls: 3, price: 0.01 }])
    expect(other.tool_calls).toEqual(toolCalls)
    expect(Number(other.hold)).toBeGreaterThanOrEqual(dollars(0.1))
    expect(text).toContain('web_search 3')
  })

  test('is held before the upstream request: a balance that does not cover one call gets none', async () => {
    const fixture = await relay(unasked, { channel: RESPONSES, user: { quota: dollars(0.009) } })

    const refused = await toResponses(fixture, { tools: [{ type: 'web_search' }] })

    expectRefusal(refused, { status: 403, code: 'insufficient_user_quota' })
    await expectNothingHeld(fixture)
  })

  test('gets a call limit that the balance covers', async () => {
    const fixture = await relay((exchange) => sendJson(exchange, response([])), {
      channel: RESPONSES,
      // One search, and what it finds as a part of the prompt.
      user: { quota: dollars(0.01) + priceOf(10_000, 100) + 1000 },
    })

    expect((await toResponses(fixture, { tools: [{ type: 'web_search' }] })).status).toBe(200)

    expect(onlyRequest(fixture.upstream).body.max_tool_calls).toBe(1)
  })
})

describe('the call limit', () => {
  const SEARCH = { type: 'web_search_20250305', name: 'web_search' }

  test.each([
    ['a field of another format', { tools: [SEARCH], max_tool_calls: 0 }],
    ['another spelling of its field', { tools: [{ ...SEARCH, MAX_USES: 1 }] }],
    ['a number that is none', { tools: [{ ...SEARCH, max_uses: -1 }] }],
  ])('is not lowered by %s', async (_, body) => {
    const reply = message({ server_tool_use: { web_search_requests: 1 } })
    const fixture = await openTestRelay((exchange) => sendJson(exchange, reply), { channel: CLAUDE })

    expect((await toClaude(fixture, body)).status).toBe(200)

    expect(onlyRequest(fixture.upstream).body.tools).toMatchObject([{ max_uses: 10 }])
    expect(Number((await theCharge(fixture)).other.hold)).toBeGreaterThanOrEqual(dollars(0.1))
  })

  test.each([0, -1, 1.5, '2', []])('must be a whole number: %j', async (most) => {
    const fixture = await openTestRelay(unasked, { channel: RESPONSES })
    const refused = await toResponses(fixture, { tools: [{ type: 'web_search' }], max_tool_calls: most })
    expect(refused.status).toBe(400)
    expect(refused.json.error).toMatchObject({ param: 'max_tool_calls' })
    await expectNothingHeld(fixture)
  })

  test.each([
    ['the usual one', 1, 5],
    ['what the balance covers', 0.12, 1],
  ])('reaches an upstream whose format differs from the client: %s', async (_, balance, searches) => {
    const fixture = await openTestRelay((exchange) => sendJson(exchange, message({})), {
      channel: CLAUDE,
      user: { quota: dollars(balance) },
    })
    const generationConfig = { maxOutputTokens: 100 }
    expect((await toGemini(fixture, { tools: [{ google_search: {} }], generationConfig })).status).toBe(200)
    expect(onlyRequest(fixture.upstream).body.tools).toMatchObject([{ max_uses: searches }])
  })

  test('is set only for paid tools', async () => {
    const fixture = await openTestRelay((exchange) => sendJson(exchange, response([])), { channel: RESPONSES })
    const mcp = { type: 'mcp', server_label: 'ours', server_url: 'https://mcp.example' }
    expect((await toResponses(fixture, { tools: [mcp] })).status).toBe(200)
    expect(onlyRequest(fixture.upstream).body).not.toHaveProperty('max_tool_calls')
  })

  test('of tools in one request', async () => {
    const fixture = await openTestRelay(unasked, { channel: RESPONSES })
    const tools = Array.from({ length: 201 }, (_, at) => ({ type: 'image_generation', quality: `q${at}` }))
    const refused = await toResponses(fixture, { tools })
    expect(refused.status).toBe(400)
    await expectNothingHeld(fixture)
  })
})

describe('a tool without a price', () => {
  test.each([
    ['Responses', RESPONSES, toResponses, { tools: [{ type: 'teleport' }] }, 'teleport'],
    [
      'Responses, among functions',
      RESPONSES,
      toResponses,
      { tools: [{ type: 'function', name: 'f' }, { type: 'teleport' }] },
      'teleport',
    ],
    ['Claude', CLAUDE, toClaude, { tools: [{ type: 'advisor_20260301', name: 'advisor' }] }, 'advisor'],
    ['Gemini', GEMINI, toGemini, { tools: [{ retrieval: { vertexAiSearch: {} } }] }, 'retrieval'],
    ['Gemini, in the other case', GEMINI, toGemini, { tools: [{ RETRIEVAL: {} }] }, 'RETRIEVAL'],
    ['Gemini, without a list', GEMINI, toGemini, { tools: { retrieval: {} } }, 'retrieval'],
  ] as const)('is rejected: %s', async (_, channel, request, body, tool) => {
    const fixture = await openTestRelay(unasked, { channel })

    const refused = await request(fixture, body)

    expect(refused.status).toBe(400)
    expect(refused.text).toContain(`The tool ${tool} has no price`)
    await expectNothingHeld(fixture)
    expect(await expectExactBooks(fixture)).toHaveLength(0)
  })

  test.each([
    ['a plugin', { plugins: [{ id: 'teleport' }] }],
    ['an engine of a plugin', { plugins: [{ id: 'file-parser', pdf: { engine: 'mistral-ocr' } }] }],
    ['a tool of another vendor', { tools: [{ type: 'retrieval', retrieval: { knowledge_id: '1' } }] }],
    ['a key in capitals', { Plugins: [{ id: 'teleport' }] }],
    ['a key in capitals within', { plugins: [{ ID: 'teleport' }] }],
    ['a second type in capitals', { tools: [{ type: 'function', Type: 'teleport', function: { name: 'f' } }] }],
    ['a key with the long s of old prints', { pluginſ: [{ id: 'teleport' }] }],
    ['a search without a row', { enable_search: true }],
  ])('is rejected in chat completions: %s', async (_, more) => {
    const fixture = await openTestRelay(unasked, {})

    const refused = await fixture.chat(ask(MODEL, more))

    // What names an object of another is not found, before anything is priced.
    expect([refused.status, refused.json.error?.code]).toEqual(
      'tools' in more && JSON.stringify(more).includes('knowledge_id')
        ? [404, 'stored_object_not_found']
        : [400, 'tool_not_priced'],
    )
  })

  test('is rejected with an escaped key', async () => {
    const fixture = await openTestRelay(unasked, {})
    const body = `{"model":"${MODEL}","messages":[{"role":"user","content":"hi"}],"pl\\u0075gins":[{"\\u0069d":"teleport"}]}`

    expectRefusal(await fixture.chat(body), { status: 400, code: 'tool_not_priced' })
  })

  test('can be used after it gets one, and not after it is removed', async () => {
    const fixture = await openTestRelay(
      (exchange) => sendJson(exchange, response([{ id: 't', type: 'teleport_call' }])),
      {
        channel: RESPONSES,
      },
    )
    const set = (prices: object) => fixture.toolkit.options.set(fixture.root, 'ToolPrices', JSON.stringify(prices))
    await set({ teleport: 0.5, 'teleport:other*': 9 })

    expect((await toResponses(fixture, { tools: [{ type: 'teleport' }], max_tool_calls: 1 })).status).toBe(200)
    expect((await theCharge(fixture)).quota).toBe(TOKENS + dollars(0.5))

    await set({})
    expect((await toResponses(fixture, { tools: [{ type: 'web_search' }] })).status).toBe(400)
  })
})

describe('the calls of a reply', () => {
  test.each([
    [
      'pictures by quality and size',
      { tools: [{ type: 'image_generation', quality: 'high' }] },
      [
        {
          id: 'ig_1',
          type: 'image_generation_call',
          status: 'completed',
          quality: 'high',
          size: '1024x1024',
          result: 'AAAA',
        },
        { id: 'ig_2', type: 'image_generation_call', status: 'failed', quality: 'high', size: '1024x1024' },
      ],
      0.167,
    ],
    [
      'a container once, however often code runs in it',
      { tools: [{ type: 'code_interpreter', container: { type: 'auto', memory_limit: '4g' } }] },
      [
        { id: 'ci_1', type: 'code_interpreter_call', container_id: 'cntr_1' },
        { id: 'ci_2', type: 'code_interpreter_call', container_id: 'cntr_1' },
      ],
      0.12,
    ],
    [
      'searches in files',
      { tools: [{ type: 'file_search' }] },
      [{ id: 'fs_1', type: 'file_search_call', queries: ['a'] }],
      0.0025,
    ],
    [
      'calls of the client, which are free',
      { tools: [{ type: 'local_shell' }] },
      [{ id: 'l', type: 'local_shell_call' }],
      0,
    ],
  ])('of Responses: %s', async (_, body, output, price) => {
    const fixture = await openTestRelay((exchange) => sendJson(exchange, response(output)), {
      channel: RESPONSES,
      user: { quota: dollars(20) },
    })
    expect((await toResponses(fixture, body)).status).toBe(200)
    expect((await theCharge(fixture)).quota).toBe(TOKENS + dollars(price))
  })

  test('of Claude: searches in the usage, with a held limit', async () => {
    const reply = message({ server_tool_use: { web_search_requests: 2 } }, [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
    ])
    const fixture = await openTestRelay((exchange) => sendJson(exchange, reply), { channel: CLAUDE })

    expect((await toClaude(fixture, { tools: [{ type: 'web_search_20250305', name: 'web_search' }] })).status).toBe(200)

    expect(onlyRequest(fixture.upstream).body.tools).toMatchObject([{ max_uses: 10 }])
    expect((await theCharge(fixture)).quota).toBe(TOKENS + dollars(0.02))
  })

  test('of Claude: code by the container', async () => {
    const run = { type: 'server_tool_use', id: 's', name: 'bash_code_execution', input: {} }
    const fixture = await openTestRelay((exchange) => sendJson(exchange, message({}, [run, run])), { channel: CLAUDE })
    expect(
      (await toClaude(fixture, { tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] })).status,
    ).toBe(200)
    expect((await theCharge(fixture)).quota).toBe(TOKENS + dollars(0.0042))
  })

  test.each([
    ['a grounded prompt, however many queries', MODEL, 0.035],
    ['each query since Gemini 3', 'gemini-3-pro', 0.028],
  ])('of Gemini: %s', async (_, upstreamModel, price) => {
    const fixture = await openTestRelay(
      (exchange) => sendJson(exchange, content({ groundingMetadata: { webSearchQueries: ['a', 'b', ''] } })),
      { channel: { ...GEMINI, model_mapping: JSON.stringify({ [MODEL]: upstreamModel }) } },
    )
    expect((await toGemini(fixture, { tools: [{ google_search: {} }] })).status).toBe(200)
    expect((await theCharge(fixture)).quota).toBe(TOKENS + dollars(price))
  })

  test('of Gemini for a client of chat completions, by a function of that name', async () => {
    const fixture = await openTestRelay(
      (exchange) => sendJson(exchange, content({ groundingMetadata: { webSearchQueries: ['a'] } })),
      { channel: GEMINI },
    )
    await fixture.chat(ask(MODEL, { tools: [{ type: 'function', function: { name: 'googleSearch' } }] }))
    expect((await theCharge(fixture)).quota).toBe(TOKENS + dollars(0.035))
  })

  test('of a plugin: its results, reported or not', async () => {
    const fixture = await openTestRelay((exchange) => sendJson(exchange, completion('hi', usage(11, 3))), {})
    await fixture.chat(ask(MODEL, { plugins: [{ id: 'web', max_results: 10 }] }))
    const { quota, toolCalls } = await theCharge(fixture)
    expect(quota).toBe(TOKENS + dollars(0.04))
    expect(toolCalls).toEqual([{ tool: 'plugin.web', calls: 10, price: 0.004 }])
  })

  test('of a search in chat completions: charged if the reply lists sources', async () => {
    const cited = completion('hi', usage(11, 3), {
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'hi',
            annotations: [
              { type: 'url_citation', url_citation: { url: 'https://a.example', start_index: 0, end_index: 1 } },
            ],
          },
          finish_reason: 'stop',
        },
      ],
    })
    const fixture = await openTestRelay((exchange) => sendJson(exchange, cited), {})
    await fixture.chat(ask(MODEL, { web_search_options: {} }))
    expect((await theCharge(fixture)).quota).toBe(TOKENS + dollars(0.01))
  })

  test('cost more in a group with a higher ratio', async () => {
    const fixture = await openTestRelay((exchange) => sendJson(exchange, completion('hi', usage(11, 3))), {})
    await fixture.toolkit.options.set(fixture.root, 'GroupRatio', '{"default":2,"vip":1}')
    await fixture.chat(ask(MODEL, { plugins: [{ id: 'web' }] }))
    expect((await theCharge(fixture)).quota).toBe(2 * (TOKENS + dollars(0.02)))
  })
})

describe('a client that disconnects', () => {
  const opening = (items: readonly object[]) => [
    { type: 'response.created', response: { id: 'resp_1', model: MODEL, store: false, output: [] } },
    ...items.map((item, output_index) => ({ type: 'response.output_item.added', output_index, item })),
  ]

  test('in the middle of a stream pays for started tools, though no text arrived', async () => {
    const fixture = await openTestRelay(
      (exchange) => {
        startStream(exchange)
        exchange.response.write(
          opening([{ id: 'ws_1', type: 'web_search_call' }])
            .map(event)
            .join(''),
        )
        const timer = setInterval(() => exchange.response.write(': wait\n\n'), 20)
        exchange.response.once('close', () => clearInterval(timer))
      },
      { channel: RESPONSES },
    )
    await fixture.toolkit.options.set(fixture.root, 'CompleteAfterDisconnect', 'false')
    const leaving = new AbortController()
    const body = { model: MODEL, input: 'hello', stream: true, tools: [{ type: 'web_search' }] }
    const reply = await send({ ...fixture, path: '/v1/responses', body, signal: leaving.signal })
    await reply.body?.getReader().read()
    leaving.abort()
    await sleep(100)
    await fixture.gateway.close()

    const { toolCalls, other } = await theCharge(fixture)
    expect(toolCalls).toEqual([{ tool: 'web_search', calls: 1, price: 0.01 }])
    expect(other).toMatchObject({ incomplete: true, end_reason: 'client-gone' })
  })

  test('before a whole reply pays for it: the upstream is read to its end', async () => {
    let answer = () => {}
    const fixture = await openTestRelay(
      (exchange) => {
        answer = () => sendJson(exchange, response([{ id: 'ws_1', type: 'web_search_call' }]))
      },
      { channel: RESPONSES },
    )
    const leaving = new AbortController()
    const body = { model: MODEL, input: 'hello', tools: [{ type: 'web_search' }] }
    const asking = send({ ...fixture, path: '/v1/responses', body, signal: leaving.signal })
    await expect.poll(() => fixture.upstream.seen.length).toBe(1)
    leaving.abort()
    await expect(asking).rejects.toThrow()
    await sleep(100)
    answer()

    expect((await theCharge(fixture)).quota).toBe(TOKENS + dollars(0.01))
  })
})
