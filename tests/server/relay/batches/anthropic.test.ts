import Anthropic from '@anthropic-ai/sdk'
import { expect, test } from 'vitest'
import { charges, expectNothingHeld } from '../../../support/books.ts'
import { CHANNEL_KEY, customer, MODEL, PRICE } from '../../../support/gateway.ts'
import { onBoth, openTestToolkit } from '../../../support/toolkit.ts'
import { type BatchFixture, halfPrice, openBatches, poller } from './fixture.ts'

const OTHER = 'other-model'
const CHANNEL = { type: 14, models: `${MODEL},${OTHER}` }
const params = (more: object = {}) => ({
  model: MODEL,
  max_tokens: 20,
  messages: [{ role: 'user' as const, content: 'hello' }],
  ...more,
})
const message = (input_tokens: number, output_tokens: number, more: object = {}) => ({
  status: 200,
  body: { type: 'message', role: 'assistant', content: [], usage: { input_tokens, output_tokens, ...more } },
})
const clientOf = ({ url, key }: Pick<BatchFixture, 'url' | 'key'>) =>
  new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 })

onBoth('a batch of messages', (open) => {
  test('exists from its creation to its deletion, and costs the usage of its requests', async () => {
    const fixture = await openBatches(await open(), { channel: CHANNEL })
    const { toolkit, upstream, balance, root } = fixture
    await toolkit.options.set(root, 'ModelRatio', JSON.stringify({ [MODEL]: PRICE.modelRatio, [OTHER]: 5 }))
    await toolkit.options.set(root, 'CompletionRatio', JSON.stringify({ [MODEL]: PRICE.completionRatio, [OTHER]: 2 }))
    await toolkit.options.set(root, 'CacheRatio', JSON.stringify({ [MODEL]: 0.1 }))
    const client = clientOf(fixture)
    const before = await balance()

    const batch = await client.messages.batches.create({
      requests: [
        { custom_id: 'a', params: params() },
        { custom_id: 'b', params: params({ model: OTHER }) },
        { custom_id: 'c', params: params() },
        { custom_id: 'd', params: params() },
      ],
    })

    expect(batch.processing_status).toBe('in_progress')
    expect(upstream.requestsOf(batch.id).map(({ body }) => body.model)).toEqual([MODEL, OTHER, MODEL, MODEL])
    const [charge] = await charges(fixture)
    expect(await balance()).toBe(before - Number(charge?.quota))
    await expect(client.messages.batches.delete(batch.id)).rejects.toMatchObject({ status: 409 })

    upstream.end(batch.id, ({ custom_id }) => {
      if (custom_id === 'a') return message(11, 3, { cache_read_input_tokens: 100 })
      if (custom_id === 'b') return message(12, 4)
      return custom_id === 'c' ? { status: 500, body: { type: 'api_error', message: 'no' } } : undefined
    })
    const ended = await client.messages.batches.retrieve(batch.id)
    expect(ended.results_url).toBe(`${fixture.url}/v1/messages/batches/${batch.id}/results`)
    const results: string[] = []
    for await (const row of await client.messages.batches.results(batch.id)) {
      results.push(`${row.custom_id} ${row.result.type}`)
    }
    expect(results).toEqual(['a succeeded', 'b succeeded', 'c errored', 'd expired'])
    expect((await client.messages.batches.list()).data.map(({ id }) => id)).toEqual([batch.id])

    expect(await client.messages.batches.delete(batch.id)).toMatchObject({ type: 'message_batch_deleted' })
    // 11 and 100 from the cache at a tenth, and 3 at 7; half of the price.
    const first = Math.floor((PRICE.modelRatio * (11 + 10 + 3 * PRICE.completionRatio)) / 2 + 0.5)
    const second = Math.floor((5 * (12 + 2 * 4)) / 2 + 0.5)
    expect(await balance()).toBe(before - first - second)
    await expect(client.messages.batches.retrieve(batch.id)).rejects.toMatchObject({ status: 404 })
    expect(upstream.batches.size).toBe(0)
    expect(await (await poller(fixture))()).toBeUndefined()
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true, differences: [] })
    await expectNothingHeld(fixture)
  })

  test('that is canceled pays for the completed requests', async () => {
    const fixture = await openBatches(await open(), { channel: CHANNEL })
    const client = clientOf(fixture)
    const before = await fixture.balance()
    const requests = ['a', 'b'].map((custom_id) => ({ custom_id, params: params() }))
    const batch = await client.messages.batches.create({ requests })
    expect(await client.messages.batches.cancel(batch.id)).toMatchObject({ processing_status: 'canceling' })
    fixture.upstream.end(batch.id, ({ custom_id }) => (custom_id === 'a' ? message(9, 1) : undefined))

    await (await poller(fixture))()

    expect(await fixture.balance()).toBe(before - halfPrice(9, 1))
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true, differences: [] })
  })

  test('whose channel is deleted is refunded and ended', async () => {
    const fixture = await openBatches(await open(), { channel: CHANNEL })
    const client = clientOf(fixture)
    const before = await fixture.balance()
    const batch = await client.messages.batches.create({ requests: [{ custom_id: 'a', params: params() }] })
    await fixture.toolkit.channels.delete(fixture.root, fixture.servedBy.id)
    await fixture.toolkit.events.catchUp()

    expect(await client.messages.batches.retrieve(batch.id)).toMatchObject({
      processing_status: 'ended',
      request_counts: { errored: 1, processing: 0 },
      results_url: null,
    })
    expect(await fixture.balance()).toBe(before)
  })
})

test('an overloaded upstream is skipped, and the next channel creates the batch once', async () => {
  const fixture = await openBatches(await openTestToolkit(), { channel: { ...CHANNEL, priority: 5 } })
  const second = await fixture.channel({ ...CHANNEL, base_url: fixture.upstream.url, key: CHANNEL_KEY })
  await fixture.toolkit.options.set(fixture.root, 'RetryTimes', '2')
  fixture.upstream.script.push({
    path: /^\/v1\/messages\/batches$/,
    answer: ({ response }) => {
      response.writeHead(429, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } }))
    },
  })

  const batch = await clientOf(fixture).messages.batches.create({ requests: [{ custom_id: 'a', params: params() }] })

  const [row] = await fixture.toolkit.db.reader('batches').select()
  expect(row).toMatchObject({ batch_id: batch.id, channel_id: second.id })
  expect(await charges(fixture)).toHaveLength(1)
})

test("an invalid request is named by its position, in the client's format, and nothing is charged", async () => {
  const fixture = await openBatches(await openTestToolkit(), {
    channel: CHANNEL,
    token: { model_limits_enabled: true, model_limits: MODEL },
  })
  const before = await fixture.balance()
  const headers = { 'anthropic-version': '2023-06-01' }
  const create = async (requests: unknown) => {
    const { status, body } = await fixture.call('POST', '/v1/messages/batches', { body: { requests }, headers })
    return { status, type: body.type, message: (body.error as { message?: string } | undefined)?.message }
  }
  const good = { custom_id: 'a', params: params() }

  expect(await create([])).toMatchObject({ status: 400, type: 'error' })
  const refused = [
    [good, { custom_id: 'b', params: params({ model: OTHER }) }],
    [good, { custom_id: 'a', params: params() }],
    [good, { custom_id: 'b c', params: params() }],
    [good, { custom_id: 'b', params: params({ stream: true }) }],
    [good, { custom_id: 'b', params: params({ max_tokens: undefined }) }],
    [good, { custom_id: 'b' }],
    [good, 'b'],
    [good, { custom_id: 'b', params: params({ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }) }],
  ]
  for (const requests of refused) {
    const answer = await create(requests)
    expect({ requests, ...answer }).toMatchObject({ status: 400, type: 'error' })
    expect(answer.message).toMatch(/^requests\.1 is invalid: /)
  }
  expect(fixture.upstream.seen).toEqual([])
  expect(await fixture.balance()).toBe(before)
  await expectNothingHeld(fixture)
})

test("another user's batch of messages is not found", async () => {
  const fixture = await openBatches(await openTestToolkit(), { channel: CHANNEL })
  const batch = await clientOf(fixture).messages.batches.create({ requests: [{ custom_id: 'a', params: params() }] })
  const { key } = await customer(fixture, { user: { quota: 1e8 } })
  const other = clientOf({ url: fixture.url, key }).messages.batches

  await expect(other.retrieve(batch.id)).rejects.toMatchObject({ status: 404, error: { type: 'error' } })
  await expect(other.cancel(batch.id)).rejects.toMatchObject({ status: 404 })
  await expect(other.delete(batch.id)).rejects.toMatchObject({ status: 404 })
  expect(
    (await fetch(`${fixture.url}/messages/batches/${batch.id}/results`, { headers: { 'x-api-key': key } })).status,
  ).toBe(404)
  expect((await other.list()).data).toEqual([])
})
