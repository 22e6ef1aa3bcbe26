import { expect, test } from 'vitest'
import { expectExactBooks, otherOf } from '../../support/books.ts'
import { ask } from '../../support/chat.ts'
import { MODEL, openTestRelay, PRICE, priceOf, type RelayOptions } from '../../support/gateway.ts'
import {
  completion,
  type Exchange,
  say,
  sendJson,
  sendStream,
  stopChunk,
  usage,
  usageChunk,
} from '../../support/hand-made-upstream.ts'

const RICH: RelayOptions = { user: { quota: 1e9 } }

async function open(
  conditions: Record<string, number>,
  answer: (exchange: Exchange) => unknown,
  options: RelayOptions = RICH,
) {
  const fixture = await openTestRelay(answer, options)
  await fixture.toolkit.options.set(fixture.root, 'PriceConditions', JSON.stringify(conditions))
  return fixture
}

test('a prompt above a threshold has its price for all tokens, whole and streamed; one at the threshold does not', async () => {
  let prompt = 1000
  const fixture = await open({ [`prompt>1000:${MODEL}`]: 2, [`completion>1000:${MODEL}`]: 1.5 }, (exchange) =>
    exchange.body.stream
      ? sendStream(exchange, [say('hi'), stopChunk(), usageChunk(usage(prompt, 10))])
      : sendJson(exchange, completion('hi', usage(prompt, 10))),
  )
  const long = ask(MODEL, { messages: [{ role: 'user', content: 'word '.repeat(1001) }] })
  await fixture.chat(ask(MODEL))
  prompt = 1001
  await fixture.chat(long)
  await fixture.chat({ ...long, stream: true })

  const logs = await expectExactBooks(fixture)
  const dear = PRICE.modelRatio * (1001 * 2 + 10 * PRICE.completionRatio * 1.5)
  expect(logs.map(({ quota }) => quota)).toEqual([priceOf(1000, 10), dear, dear])
  expect(logs.map((log) => otherOf(log).price_conditions)).toEqual([
    undefined,
    'prompt>1000 × 2, completion>1000 × 1.5',
    'prompt>1000 × 2, completion>1000 × 1.5',
  ])
  const { items } = await fixture.toolkit.logs.list(fixture.root, { type: 2 })
  expect((await fixture.toolkit.logs.receipt(fixture.root, items[0]?.id ?? 0)).price.applied).toContain('prompt>1000')
  // The dearest that can apply to a prompt of this length.
  expect(Number(otherOf(logs[1] as never).hold)).toBeGreaterThanOrEqual(dear)
})

test('a service tier counts only if it is sent upstream', async () => {
  const reply = (exchange: Exchange) => sendJson(exchange, completion('hi', usage(9, 10)))
  const conditions = { 'tier=priority:test-*': 2, 'tier=flex:test-*': 0.5 }
  const reported = await open(conditions, reply, { ...RICH, channel: { setting: '{"allow_service_tier":true}' } })
  for (const service_tier of ['priority', 'flex', 'auto']) await reported.chat(ask(MODEL, { service_tier }))
  const cost = priceOf(9, 10)
  // Half up.
  expect((await expectExactBooks(reported)).map(({ quota }) => quota)).toEqual([
    cost * 2,
    Math.floor(cost / 2 + 0.5),
    cost,
  ])

  const untold = await open(conditions, reply)
  await untold.chat(ask(MODEL, { service_tier: 'priority' }))
  expect((await expectExactBooks(untold)).map(({ quota }) => quota)).toEqual([cost])
})

test('effort, reasoning and image tokens have their own rates', async () => {
  const reported = {
    ...usage(100, 20),
    prompt_tokens_details: { image_tokens: 40 },
    completion_tokens_details: { reasoning_tokens: 5 },
  }
  const fixture = await open(
    { [`image:${MODEL}`]: 2, [`reasoning:${MODEL}`]: 3, [`effort=high:${MODEL}`]: 2 },
    (exchange) => sendJson(exchange, completion('hi', reported)),
  )
  await fixture.chat(ask(MODEL))
  await fixture.chat(ask(MODEL, { reasoning_effort: 'high' }))
  const [plain, high] = (await expectExactBooks(fixture)).map(({ quota }) => quota)
  expect(plain).toBe(PRICE.modelRatio * (60 + 40 * 2 + 15 * PRICE.completionRatio + 5 * 3))
  expect(high).toBe(PRICE.modelRatio * (60 + 40 * 2 + (15 * PRICE.completionRatio + 5 * 3) * 2))
})

test('a time of day has its own price, across midnight too', async () => {
  const now = new Date()
  const clock = (minutes: number) => {
    const at = new Date(now.getTime() + minutes * 60_000)
    return String(at.getUTCHours()).padStart(2, '0') + String(at.getUTCMinutes()).padStart(2, '0')
  }
  const reply = (exchange: Exchange) => sendJson(exchange, completion('hi', usage(10, 10)))
  const inside = await open({ [`utc=${clock(-60)}-${clock(60)}:${MODEL}`]: 0.5 }, reply)
  await inside.chat(ask(MODEL))
  const outside = await open({ [`utc=${clock(60)}-${clock(-60)}:${MODEL}`]: 0.5 }, reply)
  await outside.chat(ask(MODEL))
  expect((await expectExactBooks(inside)).map(({ quota }) => quota)).toEqual([priceOf(10, 10) / 2])
  expect((await expectExactBooks(outside)).map(({ quota }) => quota)).toEqual([priceOf(10, 10)])
})

test('an unknown condition of a model is rejected', async () => {
  const { toolkit, root } = await openTestRelay(() => undefined)
  for (const name of ['prompt>x:m', 'tier=flex', 'utc=2500-0100:m', 'm', 'long>5:m', 'image:'])
    await expect(toolkit.options.set(root, 'PriceConditions', JSON.stringify({ [name]: 1 }))).rejects.toMatchObject({
      code: 'OPTION_CONDITION',
    })
})
