import Anthropic from '@anthropic-ai/sdk'
import { expect, test } from 'vitest'
import { charges, expectNothingHeld } from '../../../support/books.ts'
import { MODEL } from '../../../support/gateway.ts'
import { type Exchange, sendJson, usage } from '../../../support/hand-made-upstream.ts'
import { onBoth } from '../../../support/toolkit.ts'
import { type BatchWorld, halfPrice, inputOf, openBatches, poller, request } from './world.ts'

const ANTHROPIC = { channel: { type: 14 } }
const MINUTE_S = 60
const reply = () => ({ status: 200, body: { object: 'chat.completion', choices: [], usage: usage(5, 2) } })
const message = () => ({
  status: 200,
  body: { type: 'message', role: 'assistant', content: [], usage: { input_tokens: 5, output_tokens: 2 } },
})
const params = { model: MODEL, max_tokens: 20, messages: [{ role: 'user' as const, content: 'hello' }] }
const messagesOf = ({ url, key }: Pick<BatchWorld, 'url' | 'key'>) =>
  new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 }).messages.batches
const cutOff = ({ response }: Exchange) => response.destroy()
const later = (minutes: number) => ({ now: Date.now() / 1000 + minutes * MINUTE_S })

async function expectBooks(world: BatchWorld): Promise<void> {
  expect(await world.toolkit.ledger.verify()).toMatchObject({ equal: true, differences: [] })
  await expectNothingHeld(world)
}

onBoth('a batch whose reply is lost', (open) => {
  test('is taken over when it is found by its file, and is charged once', async () => {
    const world = await openBatches(await open())
    const before = await world.balance()
    const fileId = await world.upload(inputOf(request('a')))
    world.upstream.instead.push(cutOff)

    expect(await world.create(fileId)).toMatchObject({ status: 502 })

    const [charge] = await charges(world)
    expect(await world.balance()).toBe(before - Number(charge?.quota))
    expect((await world.call('GET', '/v1/batches')).body.data).toEqual([])
    await (await poller(world))()
    const [id = ''] = world.upstream.batches.keys()
    expect((await world.call('GET', '/v1/batches')).body.data).toMatchObject([{ id, input_file_id: fileId }])
    expect(world.upstream.batches.get(id)?.status).toBe('validating')
    world.upstream.end(id, reply)
    await (await poller(world))()
    expect(await charges(world)).toHaveLength(1)
    expect(await world.balance()).toBe(before - halfPrice(5, 2))
    await expectBooks(world)
  })

  test('is refunded and never shown if the upstream does not have it, and its file is deleted', async () => {
    const world = await openBatches(await open())
    const before = await world.balance()
    const fileId = await world.upload(inputOf(request('a')))
    world.upstream.script.push({ path: /^\/v1\/batches$/, answer: cutOff })
    expect(await world.create(fileId)).toMatchObject({ status: 502 })
    const placeholder = String((await world.toolkit.db.reader('batches').first('batch_id')).batch_id)

    await (await poller(world, later(5)))()
    expect(await world.balance()).toBeLessThan(before)
    await (await poller(world, later(11)))()

    expect(await world.balance()).toBe(before)
    expect(await world.call('GET', `/v1/batches/${placeholder}`)).toMatchObject({ status: 404 })
    await (await poller(world, later(40)))()
    expect([...world.upstream.files.keys()]).toEqual([fileId])
    expect(await world.toolkit.db.reader('upstream_files').where({ user_id: 0 })).toEqual([])
    await expectBooks(world)
  })

  test('keeps its charge while the upstream cannot be asked, at most until its results are overdue', async () => {
    const world = await openBatches(await open())
    const before = await world.balance()
    const fileId = await world.upload(inputOf(request('a')))
    world.upstream.script.push({ path: /^\/v1\/batches$/, answer: cutOff })
    expect(await world.create(fileId)).toMatchObject({ status: 502 })
    const down = { path: /^\/v1\/batches$/, answer: (exchange: Exchange) => sendJson(exchange, {}, 500) }

    world.upstream.script.push(down)
    await (await poller(world, later(60)))()
    expect(await world.balance()).toBeLessThan(before)
    world.upstream.script.push(down)
    await (await poller(world, later(49 * 60)))()

    expect(await world.balance()).toBe(before)
    await expectBooks(world)
  })

  test('of messages is taken over when its results have its ids', async () => {
    const world = await openBatches(await open(), ANTHROPIC)
    const before = await world.balance()
    const batches = messagesOf(world)
    // Batches of another program with the same account, at the same time and as large.
    for (const name of ['x', 'y']) {
      world.upstream.batches.set(`msgbatch_${name}`, {
        id: `msgbatch_${name}`,
        type: 'message_batch',
        processing_status: 'in_progress',
        request_counts: { processing: 2 },
        created_at: new Date().toISOString(),
      })
    }
    world.upstream.instead.push(cutOff)
    const requests = ['b', 'a'].map((custom_id) => ({ custom_id, params }))
    await expect(batches.create({ requests })).rejects.toMatchObject({ status: 502 })
    const id = [...world.upstream.batches.keys()].at(-1) ?? ''
    world.upstream.end('msgbatch_x', message)

    await (await poller(world))()
    expect((await batches.list()).data).toEqual([])
    expect(await world.balance()).toBeLessThan(before)
    world.upstream.end(id, ({ custom_id }) => (custom_id === 'a' ? message() : undefined))
    await (await poller(world, later(11)))()

    expect((await batches.list()).data.map((batch) => batch.id)).toEqual([id])
    await (await poller(world, later(12)))()
    expect(await charges(world)).toHaveLength(1)
    expect(await world.balance()).toBe(before - halfPrice(5, 2))
    await expectBooks(world)
  })

  test('is refunded when its channel is deleted', async () => {
    const world = await openBatches(await open(), ANTHROPIC)
    const before = await world.balance()
    world.upstream.instead.push(cutOff)
    const requests = [{ custom_id: 'a', params }]
    await expect(messagesOf(world).create({ requests })).rejects.toMatchObject({ status: 502 })
    await world.toolkit.channels.delete(world.root, world.servedBy.id)

    await (await poller(world))()

    expect(await world.balance()).toBe(before)
  })

  test('is created once for an idempotency key, and again if it was not accepted', async () => {
    const world = await openBatches(await open())
    const before = await world.balance()
    const fileId = await world.upload(inputOf(request('a')))
    const headers = { 'idempotency-key': 'k' }
    world.upstream.script.push({ path: /^\/v1\/batches$/, answer: cutOff })
    expect(await world.create(fileId, { headers })).toMatchObject({ status: 502 })

    const running = { status: 409, body: { error: { code: 'batch_submitting' } } }
    expect(await world.create(fileId, { headers })).toMatchObject(running)
    await (await poller(world, later(11)))()
    world.upstream.instead.push(cutOff)
    expect(await world.create(fileId, { headers })).toMatchObject({ status: 502 })
    expect(await world.create(fileId, { headers })).toMatchObject(running)
    await (await poller(world))()

    const [id = ''] = world.upstream.batches.keys()
    expect(await world.create(fileId, { headers })).toMatchObject({ status: 200, body: { id } })
    expect(world.upstream.batches.size).toBe(1)
    world.upstream.end(id, reply)
    await (await poller(world))()
    expect(await world.balance()).toBe(before - halfPrice(5, 2))
    await expectBooks(world)
  })
})

onBoth('a batch whose process died', (open) => {
  /** Leaves the row that a process wrote before it died between the upstream's acceptance and its charge. */
  async function openDead(settings: Parameters<typeof openBatches>[1] = {}) {
    const world = await openBatches(await open(), settings)
    const fileId = await world.upload(inputOf(request('a')))
    const { db } = world.toolkit
    world.upstream.instead.push(async ({ response }) => {
      const row = await db.reader('batches').first()
      await db.transaction((trx) => trx('batches').update({ submitter: 'dead', request_id: `${row.request_id}-d` }))
      response.destroy()
    })
    return { ...world, db, fileId }
  }

  test('is not touched while its process lives', async () => {
    const world = await openBatches(await open())
    const fileId = await world.upload(inputOf(request('a')))
    const poll = await poller(world)
    world.upstream.instead.push(async (exchange) => {
      await poll()
      sendJson(exchange, [...world.upstream.batches.values()][0])
    })

    expect(await world.create(fileId)).toMatchObject({ status: 200 })

    expect(await world.toolkit.db.reader('batches').pluck('submitter')).toEqual([''])
    expect(await charges(world)).toHaveLength(1)
  })

  test('is charged once, also while its upstream cannot be asked', async () => {
    const world = await openDead()
    const before = await world.balance()
    await world.create(world.fileId)
    expect(await world.balance()).toBe(before)

    world.upstream.script.push({ path: /^\/v1\/batches$/, answer: (exchange) => sendJson(exchange, {}, 500) })
    await (await poller(world))()
    expect(await world.db.reader('batches').select('status', 'submitter')).toEqual([
      { status: 'submitting', submitter: '' },
    ])
    const [charge] = await charges(world)
    expect(await world.balance()).toBe(before - Number(charge?.quota))
    await (await poller(world))()
    const [id = ''] = world.upstream.batches.keys()
    world.upstream.end(id, reply)
    await (await poller(world))()

    expect(await charges(world)).toHaveLength(1)
    expect(await world.balance()).toBe(before - halfPrice(5, 2))
    await expectBooks(world)
  })

  test('that the balance no longer covers pays from its results what is there', async () => {
    const world = await openDead()
    await world.create(world.fileId)
    const row = await world.db.reader('batches').where({ submitter: 'dead' }).first()
    expect(row).toMatchObject({ status: 'submitting' })
    await world.db.transaction((trx) => trx('users').where({ id: world.person.id }).update({ quota: 10 }))
    await world.toolkit.ledger.reconsider('user', [world.person.id])

    await (await poller(world))()
    const [id = ''] = world.upstream.batches.keys()
    expect((await world.call('GET', '/v1/batches')).body.data).toMatchObject([{ id }])
    world.upstream.end(id, reply)
    await (await poller(world))()

    const [batch] = await world.db.reader('batches').where({ batch_id: id })
    expect(batch).toMatchObject({ quota: 0, outcome: 'results' })
    expect(await world.balance()).toBe(10 - Number(batch?.final_quota))
  })
})
