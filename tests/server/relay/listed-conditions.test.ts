import { afterEach, expect, test, vi } from 'vitest'
import { createPriceDetails } from '../../../core/pricing/price-details.ts'
import { expectExactBooks, otherOf } from '../../support/books.ts'
import { ask, post } from '../../support/chat.ts'
import { CHANNEL_KEY, customer, openTestGateway } from '../../support/gateway.ts'
import {
  completion,
  type Exchange,
  sendJson,
  sendStream,
  startUpstream,
  stopChunk,
  usage,
  usageChunk,
} from '../../support/hand-made-upstream.ts'

/* Prices of the built-in lists, computed by hand from the vendors' dollars per million tokens: a dollar is 500 000 quota. */

const DOLLAR = 500_000
const CHAT = '/v1/chat/completions'
const TIERS = { setting: '{"allow_service_tier":true}' }
/** The quota of dollars per million tokens. */
const quotaOf = (...parts: [tokens: number, dollars: number][]) =>
  Math.floor(parts.reduce((sum, [tokens, dollars]) => sum + (tokens * dollars * DOLLAR) / 1_000_000, 0) + 0.5)

afterEach(() => void vi.useRealTimers())

/** A gateway with its prices as they are at first, and one channel for these models. */
async function open(models: string, answer: (exchange: Exchange) => unknown, channel: object = {}) {
  const fixture = await openTestGateway()
  const upstream = await startUpstream(answer)
  await fixture.channel({ base_url: upstream.url, models, key: CHANNEL_KEY, ...channel })
  const { key } = await customer(fixture, { user: { quota: 1e9 } })
  const send = (body: object, path = CHAT) => post({ url: fixture.url, key, path, body })
  /** The charges and what was applied, oldest first; the same as in the receipts. */
  const charged = async () => {
    const logs = await expectExactBooks(fixture)
    return Promise.all(
      logs.map(async (log) => {
        const { price, recomputed } = await fixture.toolkit.logs.receipt(fixture.root, log.id)
        expect(recomputed).toBe(log.quota)
        expect(price.applied).toBe(otherOf(log).price_conditions)
        expect(Number(otherOf(log).hold)).toBeGreaterThanOrEqual(log.quota)
        return [log.quota, price.applied ?? '']
      }),
    )
  }
  return { ...fixture, upstream, send, charged }
}

const replying =
  (reported: object, more: Record<string, unknown> = {}) =>
  (exchange: Exchange) =>
    exchange.body.stream
      ? sendStream(exchange, [
          { ...completion('', undefined, more), choices: [{ index: 0, delta: { content: 'hi' } }] },
          stopChunk(),
          { ...usageChunk({ ...usage(0, 0), ...reported }), ...more },
        ])
      : sendJson(exchange, completion('hi', { ...usage(0, 0), ...reported }, more))

test('image tokens of a prompt cost the price of images', async () => {
  const reported = {
    input_tokens: 1100,
    output_tokens: 200,
    input_tokens_details: { text_tokens: 100, image_tokens: 1000 },
  }
  const { send, charged } = await open('gpt-image-1', (exchange) =>
    sendJson(exchange, { created: 1, data: [{ b64_json: 'AAAA' }], usage: reported }),
  )
  await send({ model: 'gpt-image-1', prompt: 'a lighthouse' }, '/v1/images/generations')
  // Text $5, images $10, output $40.
  expect(await charged()).toEqual([[quotaOf([100, 5], [1000, 10], [200, 40]), '']])
})

test('a prompt above the threshold of its model costs more, its cached and output tokens too', async () => {
  const cached = { prompt_tokens_details: { cached_tokens: 50_000 } }
  let reported: object = { prompt_tokens: 271_999, completion_tokens: 100, ...cached }
  const { send, charged } = await open('gpt-5.4', (exchange) => replying(reported)(exchange))
  const text = 'word '.repeat(280_000)
  await send(ask('gpt-5.4', { messages: [{ role: 'user', content: text }] }))
  reported = { prompt_tokens: 272_000, completion_tokens: 100, ...cached }
  await send(ask('gpt-5.4', { messages: [{ role: 'user', content: text }], stream: true }))
  expect(await charged()).toEqual([
    [quotaOf([221_999, 2.5], [50_000, 0.25], [100, 15]), ''],
    [
      quotaOf([222_000, 5], [50_000, 0.5], [100, 22.5]),
      'prompt>271999 × 2, completion>271999 × 1.5, cached>271999 × 2',
    ],
  ])
})

test('a service tier costs what its vendor charges, by the tier that was served', async () => {
  const counts = { prompt_tokens: 1000, completion_tokens: 100 }
  let served: Record<string, unknown> = {}
  const { send, charged } = await open('gpt-5,gpt-4o', (exchange) => replying(counts, served)(exchange), TIERS)
  await send(ask('gpt-5'))
  for (const service_tier of ['flex', 'priority', 'default', 'auto']) await send(ask('gpt-5', { service_tier }))
  served = { service_tier: 'default' }
  for (const stream of [false, true]) await send(ask('gpt-5', { service_tier: 'priority', stream }))
  served = { service_tier: 'priority' }
  await send(ask('gpt-5', { service_tier: 'auto', stream: true }))
  await send(ask('gpt-4o', { service_tier: 'priority' }))
  const plain = quotaOf([1000, 1.25], [100, 10])
  expect(await charged()).toEqual([
    [plain, ''],
    [quotaOf([1000, 0.625], [100, 5]), 'tier=flex × 0.5'],
    [quotaOf([1000, 2.5], [100, 20]), 'tier=priority × 2'],
    [plain, ''],
    [plain, ''],
    [plain, ''],
    [plain, ''],
    [quotaOf([1000, 2.5], [100, 20]), 'tier=priority × 2'],
    [quotaOf([1000, 4.25], [100, 17]), 'tier=priority × 1.7'],
  ])
})

test('a tier of Responses is read from the response, and the fast mode of Claude is one', async () => {
  const response = {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model: 'gpt-5',
    service_tier: 'default',
    output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hi' }] }],
    usage: { input_tokens: 1000, output_tokens: 100 },
  }
  const openAi = await open('gpt-5', (exchange) => sendJson(exchange, response), {
    setting: '{"allow_service_tier":true,"dialects":["openai-responses"]}',
  })
  await openAi.send({ model: 'gpt-5', input: 'hello', service_tier: 'priority' }, '/v1/responses')
  expect(await openAi.charged()).toEqual([[quotaOf([1000, 1.25], [100, 10]), '']])

  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-4-6',
    content: [{ type: 'text', text: 'hi' }],
    stop_reason: 'end_turn',
  }
  let speed = 'fast'
  const claude = await open(
    'claude-opus-4-6',
    (exchange) => sendJson(exchange, { ...message, usage: { input_tokens: 1000, output_tokens: 100, speed } }),
    { type: 14, ...TIERS },
  )
  const messages = [{ role: 'user', content: 'word '.repeat(1100) }]
  const body = ask('claude-opus-4-6', { max_tokens: 100, speed: 'fast', messages })
  await claude.send(body, '/v1/messages')
  speed = 'standard'
  await claude.send({ ...body, speed }, '/v1/messages')
  expect(await claude.charged()).toEqual([
    [quotaOf([1000, 30], [100, 150]), 'tier=fast × 6'],
    [quotaOf([1000, 5], [100, 25]), ''],
  ])
})

test.each([
  ['01:00', 2],
  ['03:59', 2],
  ['04:00', 1],
  ['06:00', 2],
  ['10:00', 1],
  ['18:00', 1],
])('DeepSeek costs the price of the time of the day: at %s × %d', async (time, factor) => {
  const { send, charged } = await open(
    'deepseek-v4-flash',
    replying({ prompt_tokens: 10_000, completion_tokens: 1000, prompt_tokens_details: { cached_tokens: 4000 } }),
    { type: 43 },
  )
  // A day ahead, so that no lease of this gateway is in the future.
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${day}T${time}:00Z`) })
  await send(ask('deepseek-v4-flash'))
  const once = quotaOf([6000, 0.22 * factor], [4000, 0.007 * factor], [1000, 0.66 * factor])
  const [[quota, applied] = []] = await charged()
  expect(quota).toBe(once)
  expect(applied).toMatch(factor === 2 ? /^utc=0\d00-\d\d00 × 2$/ : /^$/)
})

test('reasoning costs its own price, and an operator can price efforts', async () => {
  const reported = {
    prompt_tokens: 1000,
    completion_tokens: 300,
    completion_tokens_details: { reasoning_tokens: 200 },
  }
  const { send, charged, toolkit, root } = await open('sonar-deep-research', replying(reported), { type: 27 })
  await send(ask('sonar-deep-research'))
  const rows = { 'effort=high:sonar-deep-research': 2 }
  await toolkit.options.set(root, 'PriceConditions', JSON.stringify(rows))
  await send(ask('sonar-deep-research', { reasoning_effort: 'high' }))
  const [first, second] = await charged()
  // Prompt $2, completion $8, reasoning $3.
  expect(first).toEqual([quotaOf([1000, 2], [100, 8], [200, 3]), ''])
  // The operator's rows replace those of the list: reasoning is completion again.
  expect(second).toEqual([quotaOf([1000, 2], [300, 16]), 'effort=high × 2'])
})

test('an operator sees the conditions of the lists, and replaces them', async () => {
  const models = 'gpt-5,gpt-5.4,gpt-image-1,deepseek-v4-flash'
  const { toolkit, root, send, charged } = await open(
    models,
    replying({ prompt_tokens: 1000, completion_tokens: 100 }, { service_tier: 'flex' }),
    TIERS,
  )
  const offers = new Map(models.split(',').map((model) => [model, ['default']]))
  const details = createPriceDetails({ pricing: toolkit.pricing, directory: { groupsByModel: () => offers } })
  const shown = Object.fromEntries(
    (await details.list(root)).map(({ model_name, conditions }) => [
      model_name,
      conditions.map(({ condition, ratio }) => `${condition} × ${ratio}`),
    ]),
  )
  expect(shown).toEqual({
    'gpt-5': ['tier=flex × 0.5', 'tier=priority × 2'],
    'gpt-5.4': [
      ...['prompt>271999 × 2', 'completion>271999 × 1.5', 'cached>271999 × 2'],
      ...['tier=flex × 0.5', 'tier=priority × 2'],
    ],
    'gpt-image-1': ['image × 2'],
    'deepseek-v4-flash': ['utc=0100-0400 × 2', 'utc=0600-1000 × 2'],
  })
  await toolkit.options.set(root, 'PriceConditions', JSON.stringify({ 'tier=flex:gpt-5': 0.8 }))
  await send(ask('gpt-5', { service_tier: 'flex' }))
  expect(await charged()).toEqual([[quotaOf([1000, 1], [100, 8]), 'tier=flex × 0.8']])
})

test('a tier that the upstream does not report counts only in the field of the format that was forwarded', async () => {
  const { send, charged } = await open('gpt-5', replying({ prompt_tokens: 1000, completion_tokens: 100 }), TIERS)
  const messages = [{ role: 'user', content: 'hi' }]
  await send({ model: 'gpt-5', messages, service_tier: 'flex' })
  await send({ model: 'gpt-5', messages, serviceTier: 'FLEX' })
  await send({ model: 'gpt-5', messages, speed: 'flex' })
  await send({ model: 'gpt-5', messages, max_tokens: 500, service_tier: 'flex' }, '/v1/messages')
  const usual = quotaOf([1000, 1.25], [100, 10])
  expect((await charged()).map(([quota]) => quota)).toEqual([quotaOf([1000, 0.625], [100, 5]), usual, usual, usual])
})

test.each([{ 'service-tier': 'priority' }, { service_tier: ['priority'] }])(
  'a reported tier counts for a request with %j',
  async (field) => {
    const reported = { prompt_tokens: 1000, completion_tokens: 100 }
    const { send, charged } = await open('gpt-5', replying(reported, { service_tier: 'priority' }), TIERS)
    await send({ model: 'gpt-5', messages: [{ role: 'user', content: 'hi' }], ...field })
    expect((await charged()).map(([quota]) => quota)).toEqual([quotaOf([1000, 2.5], [100, 20])])
  },
)
