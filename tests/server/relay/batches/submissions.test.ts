import Anthropic from '@anthropic-ai/sdk'
import { expect, test } from 'vitest'
import { charges, expectNothingHeld } from '../../../support/books.ts'
import { MODEL } from '../../../support/gateway.ts'
import { type Exchange, sendJson, usage } from '../../../support/hand-made-upstream.ts'
import { onBoth } from '../../../support/toolkit.ts'
import { type BatchFixture, halfPrice, inputOf, openBatches, poller, request } from './fixture.ts'

const ANTHROPIC = { channel: { type: 14 } }
const MINUTE_S = 60
const reply = () => ({ status: 200, body: { object: 'chat.completion', choices: [], usage: usage(5, 2) } })
const message = () => ({
  status: 200,
  body: { type: 'message', role: 'assistant', content: [], usage: { input_tokens: 5, output_tokens: 2 } },
})
const params = { model: MODEL, max_tokens: 20, messages: [{ role: 'user' as const, content: 'hello' }] }
const messagesOf = ({ url, key }: Pick<BatchFixture, 'url' | 'key'>) =>
  new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 }).messages.batches
const cutOff = ({ response }: Exchange) => response.destroy()
const later = (minutes: number) => ({ now: Date.now() / 1000 + minutes * MINUTE_S })

async function expectBooks(fixture: BatchFixture): Promise<void> {
  expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true, differences: [] })
  await expectNothingHeld(fixture)
}

onBoth('a batch whose reply is lost', (open) => {
  test('is taken over when it is found by its file, and is charged once', async () => {
    const fixture = await openBatches(await open())
    const before = await fixture.balance()
    const fileId = await fixture.upload(inputOf(request('a')))
    fixture.upstream.instead.push(cutOff)

    expect(await fixture.create(fileId)).toMatchObject({ status: 502 })

    const [charge] = await charges(fixture)
    expect(await fixture.balance()).toBe(before - Number(charge?.quota))
    expect((await fixture.call('GET', '/v1/batches')).body.data).toEqual([])
    await (await poller(fixture))()
    const [id = ''] = fixture.upstream.batches.keys()
    expect((await fixture.call('GET', '/v1/batches')).body.data).toMatchObject([{ id, input_file_id: fileId }])
    expect(fixture.upstream.batches.get(id)?.status).toBe('validating')
    fixture.upstream.end(id, reply)
    await (await poller(fixture))()
    expect(await charges(fixture)).toHaveLength(1)
    expect(await fixture.balance()).toBe(before - halfPrice(5, 2))
    await expectBooks(fixture)
  })

  test('is refunded and never shown if the upstream does not have it, and its file is deleted', async () => {
    const fixture = await openBatches(await open())
    const before = await fixture.balance()
    const fileId = await fixture.upload(inputOf(request('a')))
    fixture.upstream.script.push({ path: /^\/v1\/batches$/, answer: cutOff })
    expect(await fixture.create(fileId)).toMatchObject({ status: 502 })
    const placeholder = String((await fixture.toolkit.db.reader('batches').first('batch_id')).batch_id)

    await (await poller(fixture, later(5)))()
    expect(await fixture.balance()).toBeLessThan(before)
    await (await poller(fixture, later(11)))()

    expect(await fixture.balance()).toBe(before)
    expect(await fixture.call('GET', `/v1/batches/${placeholder}`)).toMatchObject({ status: 404 })
    await (await poller(fixture, later(40)))()
    expect([...fixture.upstream.files.keys()]).toEqual([fileId])
    expect(await fixture.toolkit.db.reader('upstream_files').where({ user_id: 0 })).toEqual([])
    await expectBooks(fixture)
  })

  test('keeps its charge while the upstream cannot be asked, at most until its results are overdue', async () => {
    const fixture = await openBatches(await open())
    const before = await fixture.balance()
    const fileId = await fixture.upload(inputOf(request('a')))
    fixture.upstream.script.push({ path: /^\/v1\/batches$/, answer: cutOff })
    expect(await fixture.create(fileId)).toMatchObject({ status: 502 })
    const down = { path: /^\/v1\/batches$/, answer: (exchange: Exchange) => sendJson(exchange, {}, 500) }

    fixture.upstream.script.push(down)
    await (await poller(fixture, later(60)))()
    expect(await fixture.balance()).toBeLessThan(before)
    fixture.upstream.script.push(down)
    await (await poller(fixture, later(49 * 60)))()

    expect(await fixture.balance()).toBe(before)
    await expectBooks(fixture)
  })

  test('of messages is taken over when its results have its ids', async () => {
    const fixture = await openBatches(await open(), ANTHROPIC)
    const before = await fixture.balance()
    const batches = messagesOf(fixture)
    // Batches of another program with the same account, at the same time and as large.
    for (const name of ['x', 'y']) {
      fixture.upstream.batches.set(`msgbatch_${name}`, {
        id: `msgbatch_${name}`,
        type: 'message_batch',
        processing_status: 'in_progress',
        request_counts: { processing: 2 },
        created_at: new Date().toISOString(),
      })
    }
    fixture.upstream.instead.push(cutOff)
    const requests = ['b', 'a'].map((custom_id) => ({ custom_id, params }))
    await expect(batches.create({ requests })).rejects.toMatchObject({ status: 502 })
    const id = [...fixture.upstream.batches.keys()].at(-1) ?? ''
    fixture.upstream.end('msgbatch_x', message)

    await (await poller(fixture))()
    expect((await batches.list()).data).toEqual([])
    expect(await fixture.balance()).toBeLessThan(before)
    fixture.upstream.end(id, ({ custom_id }) => (custom_id === 'a' ? message() : undefined))
    await (await poller(fixture, later(11)))()

    expect((await batches.list()).data.map((batch) => batch.id)).toEqual([id])
    await (await poller(fixture, later(12)))()
    expect(await charges(fixture)).toHaveLength(1)
    expect(await fixture.balance()).toBe(before - halfPrice(5, 2))
    await expectBooks(fixture)
  })

  test('is refunded when its channel is deleted', async () => {
    const fixture = await openBatches(await open(), ANTHROPIC)
    const before = await fixture.balance()
    fixture.upstream.instead.push(cutOff)
    const requests = [{ custom_id: 'a', params }]
    await expect(messagesOf(fixture).create({ requests })).rejects.toMatchObject({ status: 502 })
    await fixture.toolkit.channels.delete(fixture.root, fixture.servedBy.id)

    await (await poller(fixture))()

    expect(await fixture.balance()).toBe(before)
  })

  test('is created once for an idempotency key, and again if it was not accepted', async () => {
    const fixture = await openBatches(await open())
    const before = await fixture.balance()
    const fileId = await fixture.upload(inputOf(request('a')))
    const headers = { 'idempotency-key': 'k' }
    fixture.upstream.script.push({ path: /^\/v1\/batches$/, answer: cutOff })
    expect(await fixture.create(fileId, { headers })).toMatchObject({ status: 502 })

    const running = { status: 409, body: { error: { code: 'batch_submitting' } } }
    expect(await fixture.create(fileId, { headers })).toMatchObject(running)
    await (await poller(fixture, later(11)))()
    fixture.upstream.instead.push(cutOff)
    expect(await fixture.create(fileId, { headers })).toMatchObject({ status: 502 })
    expect(await fixture.create(fileId, { headers })).toMatchObject(running)
    await (await poller(fixture))()

    const [id = ''] = fixture.upstream.batches.keys()
    expect(await fixture.create(fileId, { headers })).toMatchObject({ status: 200, body: { id } })
    expect(fixture.upstream.batches.size).toBe(1)
    fixture.upstream.end(id, reply)
    await (await poller(fixture))()
    expect(await fixture.balance()).toBe(before - halfPrice(5, 2))
    await expectBooks(fixture)
  })
})

onBoth('a batch whose process died', (open) => {
  /** Leaves the row that a process wrote before it died between the upstream's acceptance and its charge. */
  async function openDead(settings: Parameters<typeof openBatches>[1] = {}) {
    const fixture = await openBatches(await open(), settings)
    const fileId = await fixture.upload(inputOf(request('a')))
    const { db } = fixture.toolkit
    fixture.upstream.instead.push(async ({ response }) => {
      const row = await db.reader('batches').first()
      await db.transaction((trx) => trx('batches').update({ submitter: 'dead', request_id: `${row.request_id}-d` }))
      response.destroy()
    })
    return { ...fixture, db, fileId }
  }

  test('is not touched while its process lives', async () => {
    const fixture = await openBatches(await open())
    const fileId = await fixture.upload(inputOf(request('a')))
    const poll = await poller(fixture)
    fixture.upstream.instead.push(async (exchange) => {
      await poll()
      sendJson(exchange, [...fixture.upstream.batches.values()][0])
    })

    expect(await fixture.create(fileId)).toMatchObject({ status: 200 })

    expect(await fixture.toolkit.db.reader('batches').pluck('submitter')).toEqual([''])
    expect(await charges(fixture)).toHaveLength(1)
  })

  test('is charged once, also while its upstream cannot be asked', async () => {
    const fixture = await openDead()
    const before = await fixture.balance()
    await fixture.create(fixture.fileId)
    expect(await fixture.balance()).toBe(before)

    fixture.upstream.script.push({ path: /^\/v1\/batches$/, answer: (exchange) => sendJson(exchange, {}, 500) })
    await (await poller(fixture))()
    expect(await fixture.db.reader('batches').select('status', 'submitter')).toEqual([
      { status: 'submitting', submitter: '' },
    ])
    const [charge] = await charges(fixture)
    expect(await fixture.balance()).toBe(before - Number(charge?.quota))
    await (await poller(fixture))()
    const [id = ''] = fixture.upstream.batches.keys()
    fixture.upstream.end(id, reply)
    await (await poller(fixture))()

    expect(await charges(fixture)).toHaveLength(1)
    expect(await fixture.balance()).toBe(before - halfPrice(5, 2))
    await expectBooks(fixture)
  })

  test('that the balance no longer covers pays from its results what is there', async () => {
    const fixture = await openDead()
    await fixture.create(fixture.fileId)
    const row = await fixture.db.reader('batches').where({ submitter: 'dead' }).first()
    expect(row).toMatchObject({ status: 'submitting' })
    await fixture.db.transaction((trx) => trx('users').where({ id: fixture.person.id }).update({ quota: 10 }))
    await fixture.toolkit.ledger.giveBackReserves('user', [fixture.person.id])

    await (await poller(fixture))()
    const [id = ''] = fixture.upstream.batches.keys()
    expect((await fixture.call('GET', '/v1/batches')).body.data).toMatchObject([{ id }])
    fixture.upstream.end(id, reply)
    await (await poller(fixture))()

    const [batch] = await fixture.db.reader('batches').where({ batch_id: id })
    expect(batch).toMatchObject({ quota: 0, outcome: 'results' })
    expect(await fixture.balance()).toBe(10 - Number(batch?.final_quota))
  })
})
