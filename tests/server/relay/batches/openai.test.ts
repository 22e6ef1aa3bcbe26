import OpenAI, { toFile } from 'openai'
import { expect, test } from 'vitest'
import type { Log } from '../../../../core/logs/log.ts'
import { charges, expectExactTotals, expectNothingHeld, otherOf } from '../../../support/books.ts'
import { customer, MODEL } from '../../../support/gateway.ts'
import { usage } from '../../../support/hand-made-upstream.ts'
import { onBoth } from '../../../support/toolkit.ts'
import { type BatchWorld, halfPrice, inputOf, openBatches, poller, request } from './world.ts'

const reply = (prompt: number, completion: number) => ({
  status: 200,
  body: { object: 'chat.completion', model: 'upstream-model', choices: [], usage: usage(prompt, completion) },
})

async function setBalance({ toolkit, root, person, balance }: BatchWorld, quota: number): Promise<void> {
  await toolkit.accounts.setQuota(root, person.id, quota)
  expect(await balance()).toBe(quota)
}

onBoth('a batch of OpenAI', (open) => {
  test('is charged its estimate at creation, and its usage at its end', async () => {
    const world = await openBatches(await open(), { channel: { model_mapping: JSON.stringify({ [MODEL]: 'mapped' }) } })
    const { upstream, toolkit, balance } = world
    const client = new OpenAI({ apiKey: world.key, baseURL: `${world.url}/v1`, maxRetries: 0 })
    const before = await balance()
    const content = inputOf(request('a'), request('b'), request('c'))

    const file = await client.files.create({ purpose: 'batch', file: await toFile(Buffer.from(content), 'in.jsonl') })
    const batch = await client.batches.create({
      input_file_id: file.id,
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
      metadata: { day: 'monday' },
    })

    expect(batch).toMatchObject({ status: 'validating', input_file_id: file.id, metadata: { day: 'monday' } })
    const sent = upstream.requestsOf(batch.id)
    expect(sent.map(({ custom_id, body }) => [custom_id, body.model])).toEqual([
      ['a', 'mapped'],
      ['b', 'mapped'],
      ['c', 'mapped'],
    ])
    const [charge, ...others] = await charges(world)
    expect(others).toEqual([])
    // Each may have ten tokens of output, and has some of a prompt.
    expect(charge?.quota).toBeGreaterThan(3 * halfPrice(1, 10))
    expect(await balance()).toBe(before - Number(charge?.quota))
    await expectNothingHeld(world)

    upstream.end(batch.id, ({ custom_id }) =>
      custom_id === 'a' ? reply(11, 3) : custom_id === 'b' ? reply(12, 4) : { status: 400, body: { error: {} } },
    )
    const ended = await client.batches.retrieve(batch.id)
    expect(ended).toMatchObject({ status: 'completed', input_file_id: file.id })
    const poll = await poller(world)
    expect(await poll()).toBe('1 asked for, 1 settled')
    expect(await poll()).toBeUndefined()

    const cost = halfPrice(11, 3) + halfPrice(12, 4)
    expect(await balance()).toBe(before - cost)
    const output = await client.files.content(ended.output_file_id ?? '')
    expect((await output.text()).split('\n')).toHaveLength(2)
    const listed = await client.files.list()
    expect(listed.data.map(({ id }) => id).sort()).toEqual(
      [file.id, ended.output_file_id, ended.error_file_id].sort() as string[],
    )
    expect((await client.batches.list()).data).toMatchObject([{ id: batch.id, status: 'completed' }])
    const [row] = await toolkit.db.reader('batches').select()
    expect(row).toMatchObject({ final_quota: cost, prompt_tokens: 23, completion_tokens: 7, outcome: 'results' })
    // The copy that the gateway wrote is gone; the client's file stays.
    expect([...upstream.files.values()].map(({ id }) => id)).not.toContain(row.sent_file_id)
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true, differences: [] })
    const { items } = await toolkit.logs.list(world.root, { type: 4 })
    expect(items[0]?.content).toContain(batch.id)
  })

  test('is settled once by two processes, and after a restart', async () => {
    const world = await openBatches(await open())
    const before = await world.balance()
    const { body } = await world.create(await world.upload(inputOf(request('a'))))
    world.upstream.end(String(body.id), () => reply(5, 2))
    await world.gateway.close()

    const [one, two] = [await poller(world), await poller(world)]
    const rounds = await Promise.all([one(), two()])

    expect(rounds.join(' ')).toContain('1 settled')
    expect(await world.balance()).toBe(before - halfPrice(5, 2))
    const refunds = await world.toolkit.db.reader('ledger_entries').where({ kind: 'refund' })
    expect(refunds).toHaveLength(1)
    expect(await world.toolkit.ledger.verify()).toMatchObject({ equal: true, differences: [] })
  })

  test.each([
    ['cancelled', 1],
    ['expired', 1],
    ['failed', 0],
  ])('that is %s pays for the requests with results', async (status, served) => {
    const world = await openBatches(await open())
    const before = await world.balance()
    const { body } = await world.create(await world.upload(inputOf(request('a'), request('b'))))
    if (status === 'cancelled') {
      expect(await world.call('POST', `/v1/batches/${body.id}/cancel`)).toMatchObject({
        body: { status: 'cancelling' },
      })
    }
    world.upstream.end(
      String(body.id),
      ({ custom_id }) => (custom_id === 'a' && served ? reply(5, 2) : undefined),
      status,
    )

    expect(await (await poller(world))()).toBe('1 asked for, 1 settled')

    expect(await world.balance()).toBe(before - served * halfPrice(5, 2))
    expect(await world.toolkit.ledger.verify()).toMatchObject({ equal: true, differences: [] })
  })

  test('above its estimate pays the rest once', async () => {
    const world = await openBatches(await open())
    const before = await world.balance()
    const { body } = await world.create(await world.upload(inputOf(request('a'))))
    world.upstream.end(String(body.id), () => reply(5000, 5000))

    await (await poller(world))()

    expect(await world.balance()).toBe(before - halfPrice(5000, 5000))
    await expectExactTotals(world)
  })

  test('that used more than the balance covers pays what is there, and states the rest', async () => {
    const world = await openBatches(await open())
    const { body } = await world.create(await world.upload(inputOf(request('a'))))
    const [estimate] = await charges(world)
    const left = 1000
    await setBalance(world, left)
    world.upstream.end(String(body.id), () => reply(5000, 5000))

    await (await poller(world))()

    const [, rest] = await charges(world)
    const uncovered = halfPrice(5000, 5000) - Number(estimate?.quota) - left
    expect(rest?.quota).toBe(left)
    expect(otherOf(rest as Log)).toMatchObject({ incomplete: true, uncovered })
    expect(await world.balance()).toBe(0)
    const [row] = await world.toolkit.db.reader('batches').select('final_quota')
    expect(Number(row.final_quota)).toBe(Number(estimate?.quota) + left)
    await expectExactTotals(world)
    await expectNothingHeld(world)
  })

  test('that used more than the budget of its key covers pays what is there', async () => {
    const budget = 1_000_000
    const world = await openBatches(await open(), { token: { unlimited_quota: false, remain_quota: budget } })
    const { body } = await world.create(await world.upload(inputOf(request('a'))))
    world.upstream.end(String(body.id), () => reply(500_000, 500_000))

    await (await poller(world))()

    const token = await world.toolkit.db.reader('tokens').where({ id: world.bought.id }).first()
    expect(Number(token.remain_quota)).toBe(0)
    expect(Number(token.used_quota)).toBe(budget)
    await expectExactTotals(world)
  })

  test('that used more than the estimate of an empty balance states all of the rest', async () => {
    const world = await openBatches(await open())
    const { body } = await world.create(await world.upload(inputOf(request('a'))))
    const [estimate] = await charges(world)
    await setBalance(world, 0)
    world.upstream.end(String(body.id), () => reply(5000, 5000))

    await (await poller(world))()

    const [, rest] = await charges(world)
    expect(rest?.quota).toBe(0)
    expect(otherOf(rest as Log).uncovered).toBe(halfPrice(5000, 5000) - Number(estimate?.quota))
    await expectExactTotals(world)
  })

  test('whose channel is deleted is refunded, with the reason', async () => {
    const world = await openBatches(await open())
    const before = await world.balance()
    const { body } = await world.create(await world.upload(inputOf(request('a'))))
    await world.toolkit.channels.delete(world.root, world.servedBy.id)
    await world.toolkit.events.catchUp()

    const { body: shown } = await world.call('GET', `/v1/batches/${body.id}`)

    expect(shown).toMatchObject({ status: 'failed', errors: { data: [{ code: 'channel_deleted' }] } })
    expect(await world.balance()).toBe(before)
    expect(await world.toolkit.ledger.verify()).toMatchObject({ equal: true, differences: [] })
  })

  test('without results is refunded a day after its end', async () => {
    const world = await openBatches(await open())
    const before = await world.balance()
    const { body } = await world.create(await world.upload(inputOf(request('a'))))
    world.upstream.batches.delete(String(body.id))
    const now = Date.now() / 1000
    const clock = { now: now + 47 * 3600 }
    const poll = await poller(world, clock)

    await poll()
    expect(await world.balance()).toBeLessThan(before)
    clock.now = now + 49 * 3600
    await poll()

    expect(await world.balance()).toBe(before)
    expect(await world.call('GET', `/v1/batches/${body.id}`)).toMatchObject({ body: { status: 'failed' } })
    expect(await world.toolkit.ledger.verify()).toMatchObject({ equal: true, differences: [] })
  })

  test('is settled before its output can be deleted', async () => {
    const world = await openBatches(await open())
    const before = await world.balance()
    const { body } = await world.create(await world.upload(inputOf(request('a'))))
    world.upstream.end(String(body.id), () => reply(5, 2))
    const { body: ended } = await world.call('GET', `/v1/batches/${body.id}`)

    const deleted = await world.call('DELETE', `/v1/files/${ended.output_file_id}`)

    expect(deleted).toMatchObject({ status: 200, body: { deleted: true } })
    expect(await world.balance()).toBe(before - halfPrice(5, 2))
    expect(world.upstream.files.has(String(ended.output_file_id))).toBe(false)
  })

  test('with a refund unlike its rows is found by the ledger check', async () => {
    const world = await openBatches(await open())
    const { body } = await world.create(await world.upload(inputOf(request('a'))))
    world.upstream.end(String(body.id), () => reply(5, 2))
    await (await poller(world))()
    const { db, ledger } = world.toolkit
    expect(await ledger.verify()).toMatchObject({ equal: true })

    await db.transaction((trx) => trx('batches').increment('final_quota', 1))
    expect(await ledger.verify()).toMatchObject({
      equal: false,
      rows: [{ table: 'batches', what: 'refund of an ended batch' }],
    })
    await db.transaction((trx) => trx('batches').update({ settled_at: 0 }))
    expect(await ledger.verify()).toMatchObject({
      equal: false,
      rows: [{ table: 'ledger_entries', what: 'refund without a failed task' }],
    })
  })

  test('that is free is stored, and settled without money', async () => {
    const world = await openBatches(await open())
    await world.toolkit.options.set(world.root, 'BatchPriceRatio', '0')
    const before = await world.balance()
    const { status, body } = await world.create(await world.upload(inputOf(request('a'))))
    expect(status).toBe(200)
    world.upstream.end(String(body.id), () => reply(5, 2))

    expect(await (await poller(world))()).toBe('1 asked for, 1 settled')

    expect(await world.balance()).toBe(before)
    expect(await charges(world)).toEqual([])
    const [row] = await world.toolkit.db.reader('batches').select()
    expect(row).toMatchObject({ prompt_tokens: 5, completion_tokens: 2, final_quota: 0, outcome: 'results' })
    expect(await world.toolkit.ledger.verify()).toMatchObject({ equal: true, differences: [] })
  })

  test('of a key with a budget is charged to the budget, and refunds the rest', async () => {
    const budget = 1_000_000
    const world = await openBatches(await open(), { token: { unlimited_quota: false, remain_quota: budget } })
    const { body } = await world.create(await world.upload(inputOf(request('a'))))
    world.upstream.end(String(body.id), () => reply(5, 2))
    await (await poller(world))()

    const token = await world.toolkit.db.reader('tokens').where({ id: world.bought.id }).first()

    expect(Number(token.remain_quota)).toBe(budget - halfPrice(5, 2))
    expect(Number(token.used_quota)).toBe(halfPrice(5, 2))
    const channel = await world.toolkit.db.reader('channels').where({ id: world.servedBy.id }).first()
    expect(Number(channel.used_quota)).toBe(halfPrice(5, 2))
  })

  test('is created once under one idempotency key', async () => {
    const world = await openBatches(await open())
    const fileId = await world.upload(inputOf(request('a')))
    const headers = { 'idempotency-key': 'once' }

    const first = await world.create(fileId, { headers })
    const second = await world.create(fileId, { headers })

    expect(second).toEqual(first)
    expect(world.upstream.batches.size).toBe(1)
    expect(await charges(world)).toHaveLength(1)
  })

  test('with an insufficient balance is rejected, and names the required amount', async () => {
    const world = await openBatches(await open(), { user: { quota: 100 } })
    const fileId = await world.upload(inputOf(request('a', { max_tokens: 1000 })))

    const { status, body } = await world.create(fileId)

    expect({ status, code: (body.error as { code?: string }).code }).toEqual({
      status: 403,
      code: 'insufficient_user_quota',
    })
    expect((body.error as { message: string }).message).toMatch(/\d/)
    expect(world.upstream.batches.size).toBe(0)
    expect(await world.balance()).toBe(100)
    await expectNothingHeld(world)
  })

  test('can reference no file or batch of another user', async () => {
    const world = await openBatches(await open())
    const fileId = await world.upload(inputOf(request('a')))
    const { body: batch } = await world.create(fileId)
    const { key } = await customer(world, { user: { quota: 1e8 } })

    const answers = [
      await world.create(fileId, { key }),
      ...(await Promise.all(
        [
          ['GET', `/v1/files/${fileId}`],
          ['GET', `/v1/files/${fileId}/content`],
          ['DELETE', `/v1/files/${fileId}`],
          ['GET', `/v1/batches/${batch.id}`],
          ['POST', `/v1/batches/${batch.id}/cancel`],
        ].map(([method, path]) => world.call(method as string, path as string, { key })),
      )),
    ]

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
    expect(await world.call('GET', '/v1/files', { key })).toMatchObject({ body: { data: [] } })
    expect(await world.call('GET', '/v1/batches', { key })).toMatchObject({ body: { data: [] } })
    expect(world.upstream.files.has(fileId)).toBe(true)
  })
})
