import { describe, expect, test } from 'vitest'
import { expectExactBooks, untilCharged } from '../support/books.ts'
import { ask, post } from '../support/chat.ts'
import { MODEL, priceOf } from '../support/gateway.ts'
import { completion, type Exchange, onlyRequest, sendJson, usage } from '../support/hand-made-upstream.ts'
import { reusedRelay } from '../support/reused.ts'

const openRelay = reusedRelay()

/*
 * An attack on the operator's account: a hosted tool, another model or an object of another user is named where, or as, only a
 * lenient upstream reads it.
 */

const RESPONSES = { setting: JSON.stringify({ dialects: ['openai-responses'] }) }
const RICH = { user: { quota: 1_000_000_000 } }
/** An upstream that must not be asked. */
const unasked = (exchange: Exchange) => sendJson(exchange, { error: { message: 'asked' } }, 418)
const done = (exchange: Exchange) => sendJson(exchange, completion('Done', usage(11, 3)))

describe('of chat completions', () => {
  test.each([
    ['a switch as a number', { enable_search: 1 }],
    ['a switch as a text', { enable_search: 'true' }],
    ['a switch in extra_body', { extra_body: { enable_search: true } }],
    ["one of Google's tools in extra_body", { extra_body: { google: { tools: [{ retrieval: {} }] } } }],
    ['a plugin without a list', { plugins: { id: 'teleport' } }],
    ['a plugin that is a text', { plugins: ['teleport'] }],
    ['a plugin that is no list', { plugins: 'teleport' }],
    ['a plugin in a list of lists', { plugins: [[{ id: 'teleport' }]] }],
    ['a tool that is a text', { tools: ['teleport'] }],
    ['a tool in a list of lists', { tools: [[{ type: 'teleport' }]] }],
    ['a tool that is JSON in a text', { tools: ['{"type":"teleport"}'] }],
    ["Qwen's code interpreter", { enable_code_interpreter: true }],
    ['a plugin that is on and off', { plugins: [{ id: 'teleport', enabled: false, Enabled: true }] }],
  ])('a tool without a price is rejected: %s', async (_, more) => {
    const fixture = await openRelay(unasked)
    const refused = await fixture.chat(ask(MODEL, more))
    expect([refused.status, refused.json.error?.code]).toEqual([400, 'tool_not_priced'])
    await expectExactBooks(fixture)
  })

  test("one of Google's tools without a type is charged", async () => {
    const fixture = await openRelay(done)
    expect((await fixture.chat(ask(MODEL, { tools: [{ googleSearch: {} }] }))).status).toBe(200)
    const [log] = await untilCharged(fixture, 1)
    const other = JSON.parse(log?.other ?? '{}')
    expect(other.tool_calls).toEqual([{ tool: 'google_search', calls: 1, price: 0.035 }])
    expect(Number(other.hold)).toBeGreaterThanOrEqual(log?.quota ?? Number.POSITIVE_INFINITY)
  })

  test.each([
    ['googleSearch', 0.035, 200],
    ['googleSearch', 0.03, 403],
    ['google_search_retrieval', 0.03, 403],
    ['enterpriseWebSearch', 0.04, 403],
  ])("one of Google's tools without a type is held at its own price: %s with $%d", async (tool, balance, status) => {
    // The results are a part of the prompt.
    const quota = Math.round(balance * 500_000) + priceOf(10_000, 0) + 2000
    const fixture = await openRelay(done, { user: { quota } })
    const answer = await fixture.chat(ask(MODEL, { max_tokens: 10, tools: [{ [tool]: {} }] }))
    expect([answer.status, fixture.upstream.seen.length]).toEqual([status, status === 200 ? 1 : 0])
    await expectExactBooks(fixture)
  })

  test.each([
    ['other models', { Models: ['dear'] }],
    ['a route', { ROUTE: 'fallback' }],
    ['a preset of the account', { preset: 'dear' }],
    ['a tier', { 'service-tier': 'priority' }],
    ['a speed with the long s of old prints', { ſpeed: 'fast' }],
  ])('is not forwarded: %s', async (_, more) => {
    const fixture = await openRelay(done)
    expect((await fixture.chat(ask(MODEL, more))).status).toBe(200)
    expect(Object.keys(onlyRequest(fixture.upstream).body)).not.toContain(Object.keys(more)[0])
  })

  test.each([
    ['another model', { model: 'dear' }],
    ['other models', { models: ['dear'] }],
    ['a tier', { service_tier: 'priority' }],
    ['a provider', { provider: { order: ['dear'] } }],
    ['a speed', { speed: 'fast' }],
    ['more choices', { N: 50 }],
    ['a higher limit', { 'max-tokens': 100_000 }],
    ['another model, deeper', { extra_body: { model: 'dear' } }],
  ])('is not forwarded in extra_body, which gateways behind this one put into the body: %s', async (_, extra) => {
    const fixture = await openRelay(done)
    const kept = { google: { thinking_config: { include_thoughts: true } } }
    const body = ask(MODEL, { max_tokens: 10, extra_body: { ...extra, ...kept }, 'Extra-Body': extra })
    expect((await fixture.chat(body)).status).toBe(200)
    const { extra_body: sent, 'Extra-Body': other } = onlyRequest(fixture.upstream).body
    const nested = 'extra_body' in extra ? { extra_body: {} } : {}
    expect([sent, other]).toEqual([{ ...nested, ...kept }, nested])
  })

  test('a thinking budget in extra_body is held', async () => {
    const fixture = await openRelay(unasked, { user: { quota: priceOf(20, 4096) } })
    const body = ask(MODEL, { max_tokens: 1, extra_body: { thinking_budget: 100_000 } })
    expect((await fixture.chat(body)).status).toBe(403)
  })

  test("another user's stored response in extra_body is not found", async () => {
    const fixture = await openRelay(unasked, RICH)
    const refused = await fixture.chat(ask(MODEL, { extra_body: { previous_response_id: 'resp_1' } }))
    expect([refused.status, refused.json.error?.code]).toEqual([404, 'previous_response_not_found'])
  })

  test.each([
    ['in a list of texts', ['fileid://file-1']],
    ['after a blank that is none of ASCII', '\u00a0FileID://file-1'],
    ['among frames', [{ type: 'video', video: ['ms://file-1'] }]],
  ])("another user's file is not found: %s", async (_, content) => {
    const fixture = await openRelay(unasked, RICH)
    const refused = await fixture.chat({ ...ask(MODEL), messages: [{ role: 'user', content }] })
    expect([refused.status, refused.json.error?.code]).toEqual([404, 'stored_object_not_found'])
  })
})

test.each([
  ['/v1/completions', { prompt: 'x', max_tokens: 1, max_completion_tokens: 100_000 }],
  ['/v1/images/generations', { prompt: 'x', num_images_per_prompt: 10 }],
  ['/v1/images/generations', { prompt: 'x', Batch_Size: 10 }],
  ['/v1/images/generations', { prompt: 'x', parameters: { n: 10 } }],
])('a limit or a number under another name is held, of %s: %j', async (path, body) => {
  const fixture = await openRelay(unasked, { user: { quota: 100_000 } })
  await fixture.toolkit.options.set(
    fixture.root,
    'ModelPrice',
    JSON.stringify(path.includes('images') ? { [MODEL]: 0.04 } : {}),
  )
  const refused = await post({ ...fixture, path, body: { model: MODEL, ...body } })
  expect([refused.status, fixture.upstream.seen.length]).toEqual([403, 0])
  await expectExactBooks(fixture)
})

describe('of Responses', () => {
  const toResponses = (fixture: { url: string; key: string }, body: object) =>
    post({ ...fixture, path: '/v1/responses', body: { model: MODEL, input: 'hello', max_output_tokens: 100, ...body } })

  test.each([
    ['in a namespace', { tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'teleport' }] }] }],
    ['in an item', { input: [{ type: 'tool_search_output', tools: [{ type: 'teleport' }] }] }],
  ])('a tool without a price is rejected: %s', async (_, body) => {
    const fixture = await openRelay(unasked, { channel: RESPONSES })
    const refused = await toResponses(fixture, body)
    expect([refused.status, refused.json.error?.code]).toEqual([400, 'tool_not_priced'])
  })

  test.each([
    ['a type of null', { type: null, id: 'msg_1' }],
    ['nothing but null', { type: null, role: null, content: null, id: 'msg_1' }],
  ])("another user's item is not found: %s", async (_, item) => {
    const fixture = await openRelay(unasked, { channel: RESPONSES })
    const refused = await toResponses(fixture, { input: [item] })
    expect([refused.status, refused.json.error?.code]).toEqual([404, 'stored_object_not_found'])
  })

  test('a negative call limit is rejected', async () => {
    const fixture = await openRelay(unasked, { channel: RESPONSES })
    const refused = await toResponses(fixture, { tools: [{ type: 'web_search' }], max_tool_calls: -1 })
    expect([refused.status, refused.json.error]).toEqual([400, expect.objectContaining({ param: 'max_tool_calls' })])
  })
})

test("of Claude: a call limit that is a text is replaced by the gateway's", async () => {
  const reply = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'Done' }],
    usage: { input_tokens: 11, output_tokens: 3 },
  }
  const fixture = await openRelay((exchange) => sendJson(exchange, reply), { channel: { type: 14 } })
  const tools = [{ type: 'web_search_20250305', name: 'web_search', max_uses: '100000' }]
  const body = { model: MODEL, max_tokens: 100, messages: [{ role: 'user', content: 'hello' }], tools }
  await post({ ...fixture, path: '/v1/messages', body })
  expect(onlyRequest(fixture.upstream).body.tools).toMatchObject([{ max_uses: 10 }])
})

test.each([
  'https://generativelanguage.googleapis.com:443/v1beta/files/abc',
  'https://user@generativelanguage.googleapis.com./v1beta/files/abc',
  ' files/abc',
  '/v1beta/files/abc',
  'v1beta/files/abc',
  '//generativelanguage.googleapis.com/v1beta/files/abc',
  'https://generativelanguage.googleapis.com/v1beta/%66iles/abc',
  'HTTPS:\\\\generativelanguage.googleapis.com\\v1beta\\files\\abc',
])("of Gemini: another user's file is not found: %s", async (fileUri) => {
  const fixture = await openRelay(unasked, { ...RICH, channel: { type: 24 } })
  const parts = [{ fileData: { mimeType: 'text/plain', fileUri } }]
  const body = { contents: [{ role: 'user', parts }] }
  const refused = await post({ ...fixture, path: `/v1beta/models/${MODEL}:generateContent`, body })
  expect([refused.status, refused.text]).toEqual([404, expect.stringContaining('abc')])
})
