import { expect, test } from 'vitest'
import { post } from '../../../support/chat.ts'
import { MODEL } from '../../../support/gateway.ts'
import { completion, sendJson, usage } from '../../../support/hand-made-upstream.ts'
import { openTestToolkit } from '../../../support/toolkit.ts'
import { halfPrice, inputOf, openBatches, poller, request } from './fixture.ts'

const EMBEDDING = 'embedding-model'
const CHANNEL = {
  models: `${MODEL},${EMBEDDING}`,
  setting: JSON.stringify({ dialects: ['openai-chat', 'openai-responses'] }),
}

async function costOf(endpoint: string, body: Record<string, unknown>, reply: Record<string, unknown>) {
  const fixture = await openBatches(await openTestToolkit(), { channel: CHANNEL })
  await fixture.toolkit.options.set(fixture.root, 'ModelRatio', JSON.stringify({ [MODEL]: 3, [EMBEDDING]: 4 }))
  const before = await fixture.balance()
  const line = { custom_id: 'a', method: 'POST', url: endpoint, body }
  const input_file_id = await fixture.upload(inputOf(line))
  const created = await fixture.call('POST', '/v1/batches', {
    body: { input_file_id, endpoint, completion_window: '24h' },
  })
  expect(created.status, JSON.stringify(created.body)).toBe(200)
  expect(before - (await fixture.balance())).toBeGreaterThan(0)
  fixture.upstream.end(String(created.body.id), () => ({ status: 200, body: reply }))
  await (await poller(fixture))()
  expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true, differences: [] })
  return before - (await fixture.balance())
}

test('a batch of responses costs its usage', async () => {
  const reply = { object: 'response', usage: { input_tokens: 13, output_tokens: 5 } }
  const cost = await costOf('/v1/responses', { model: MODEL, input: 'hello', max_output_tokens: 50 }, reply)
  expect(cost).toBe(halfPrice(13, 5))
})

test('a batch of embeddings costs its usage', async () => {
  const reply = { object: 'list', data: [], usage: { prompt_tokens: 9, total_tokens: 9 } }
  expect(await costOf('/v1/embeddings', { model: EMBEDDING, input: ['a', 'b'] }, reply)).toBe((9 * 4) / 2)
})

test('a completed request without a usage costs its share of the estimate', async () => {
  const cost = await costOf('/v1/chat/completions', request('a').body, { object: 'chat.completion' })
  expect(cost).toBeGreaterThan(halfPrice(1, 10))
})

test('another discount applies only to new batches', async () => {
  const fixture = await openBatches(await openTestToolkit())
  const before = await fixture.balance()
  const fileId = await fixture.upload(inputOf(request('a')))
  const first = await fixture.create(fileId)
  await fixture.toolkit.options.set(fixture.root, 'BatchPriceRatio', '1')
  const second = await fixture.create(fileId)
  for (const { body } of [first, second]) {
    fixture.upstream.end(String(body.id), () => ({ status: 200, body: { usage: usage(10, 2) } }))
  }

  await (await poller(fixture))()

  expect(await fixture.balance()).toBe(before - halfPrice(10, 2) - 2 * halfPrice(10, 2))
})

test('a file for prompts can be referenced by its owner in a request, on its channel', async () => {
  const fixture = await openBatches(await openTestToolkit())
  const form = new FormData()
  form.set('purpose', 'user_data')
  form.set('file', new File(['%PDF-1.4'], 'a.pdf', { type: 'application/pdf' }))
  const { body: file } = await fixture.call('POST', '/files', { body: form })
  expect(file).toMatchObject({ object: 'file', purpose: 'user_data', filename: 'a.pdf' })
  fixture.upstream.script.push({
    path: /chat/,
    answer: (exchange) => sendJson(exchange, completion('A file', usage(10, 2))),
  })
  const content = [{ type: 'file', file: { file_id: file.id } }]
  const body = { model: MODEL, max_tokens: 5, messages: [{ role: 'user', content }] }

  expect((await post({ url: fixture.url, key: fixture.key, body })).status).toBe(200)
  expect(await fixture.call('GET', '/v1/files?purpose=batch')).toMatchObject({ body: { data: [], has_more: false } })
  expect(await fixture.call('GET', '/v1/files?purpose=user_data')).toMatchObject({ body: { data: [{ id: file.id }] } })
  expect(await fixture.call('DELETE', `/v1/files/${file.id}`)).toMatchObject({ body: { id: file.id, deleted: true } })

  expect((await post({ url: fixture.url, key: fixture.key, body })).status).toBe(404)
  expect(fixture.upstream.files.size).toBe(0)
})

test('lists have pages', async () => {
  const fixture = await openBatches(await openTestToolkit())
  const fileId = await fixture.upload(inputOf(request('a')))
  const ids: unknown[] = []
  for (let count = 0; count < 3; count++) ids.unshift((await fixture.create(fileId)).body.id)

  const first = await fixture.call('GET', '/v1/batches?limit=2')
  const second = await fixture.call('GET', `/batches?limit=2&after=${first.body.last_id}`)

  expect(first.body).toMatchObject({ object: 'list', first_id: ids[0], last_id: ids[1], has_more: true })
  expect(second.body).toMatchObject({ data: [{ id: ids[2] }], has_more: false })
  expect(await fixture.call('GET', '/v1/batches?limit=101')).toMatchObject({ status: 400 })
})
