import OpenAI, { toFile } from 'openai'
import { expect, test } from 'vitest'
import type { Log } from '../../../../core/logs/log.ts'
import { charges, expectExactTotals, expectNothingHeld, otherOf } from '../../../support/books.ts'
import { customer, MODEL } from '../../../support/gateway.ts'
import { usage } from '../../../support/hand-made-upstream.ts'
import { onBoth } from '../../../support/toolkit.ts'
import { type BatchFixture, halfPrice, inputOf, openBatches, poller, request } from './fixture.ts'

const reply = (prompt: number, completion: number) => ({
  status: 200,
  body: { object: 'chat.completion', model: 'upstream-model', choices: [], usage: usage(prompt, completion) },
})

async function setBalance({ toolkit, root, person, balance }: BatchFixture, quota: number): Promise<void> {
  await toolkit.accounts.setQuota(root, person.id, quota)
  expect(await balance()).toBe(quota)
}

onBoth('a batch of OpenAI', (open) => {
  test('is charged its estimate at creation, and its usage at its end', async () => {
    const fixture = await openBatches(await open(), {
      channel: { model_mapping: JSON.stringify({ [MODEL]: 'mapped' }) },
    })
    const { upstream, toolkit, balance } = fixture
    const client = new OpenAI({ apiKey: fixture.key, baseURL: `${fixture.url}/v1`, maxRetries: 0 })
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
    const [charge, ...others] = await charges(fixture)
    expect(others).toEqual([])
    // Each may have ten tokens of output, and has some of a prompt.
    expect(charge?.quota).toBeGreaterThan(3 * halfPrice(1, 10))
    expect(await balance()).toBe(before - Number(charge?.quota))
    await expectNothingHeld(fixture)

    upstream.end(batch.id, ({ custom_id }) =>
      custom_id === 'a' ? reply(11, 3) : custom_id === 'b' ? reply(12, 4) : { status: 400, body: { error: {} } },
    )
    const ended = await client.batches.retrieve(batch.id)
    expect(ended).toMatchObject({ status: 'completed', input_file_id: file.id })
    const poll = await poller(fixture)
    expect(await poll()).toBe('1 polled, 1 settled')
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
    const { items } = await toolkit.logs.list(fixture.root, { type: 4 })
    expect(items[0]?.content).toContain(batch.id)
  })

  test('is settled once by two processes, and after a restart', async () => {
    const fixture = await openBatches(await open())
    const before = await fixture.balance()
    const { body } = await fixture.create(await fixture.upload(inputOf(request('a'))))
    fixture.upstream.end(String(body.id), () => reply(5, 2))
    await fixture.gateway.close()

    const [one, two] = [await poller(fixture), await poller(fixture)]
    const rounds = await Promise.all([one(), two()])

    expect(rounds.join(' ')).toContain('1 settled')
    expect(await fixture.balance()).toBe(before - halfPrice(5, 2))
    const refunds = await fixture.toolkit.db.reader('ledger_entries').where({ kind: 'refund' })
    expect(refunds).toHaveLength(1)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true, differences: [] })
  })

  test.each([
    ['cancelled', 1],
    ['expired', 1],
    ['failed', 0],
  ])('that is %s pays for the requests with results', async (status, served) => {
    const fixture = await openBatches(await open())
    const before = await fixture.balance()
    const { body } = await fixture.create(await fixture.upload(inputOf(request('a'), request('b'))))
    if (status === 'cancelled') {
      expect(await fixture.call('POST', `/v1/batches/${body.id}/cancel`)).toMatchObject({
        body: { status: 'cancelling' },
      })
    }
    fixture.upstream.end(
      String(body.id),
      ({ custom_id }) => (custom_id === 'a' && served ? reply(5, 2) : undefined),
      status,
    )

    expect(await (await poller(fixture))()).toBe('1 polled, 1 settled')

    expect(await fixture.balance()).toBe(before - served * halfPrice(5, 2))
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true, differences: [] })
  })

  test('above its estimate pays the rest once', async () => {
    const fixture = await openBatches(await open())
    const before = await fixture.balance()
    const { body } = await fixture.create(await fixture.upload(inputOf(request('a'))))
    fixture.upstream.end(String(body.id), () => reply(5000, 5000))

    await (await poller(fixture))()

    expect(await fixture.balance()).toBe(before - halfPrice(5000, 5000))
    await expectExactTotals(fixture)
  })

  test('that used more than the balance covers pays what is there, and states the rest', async () => {
    const fixture = await openBatches(await open())
    const { body } = await fixture.create(await fixture.upload(inputOf(request('a'))))
    const [estimate] = await charges(fixture)
    const left = 1000
    await setBalance(fixture, left)
    fixture.upstream.end(String(body.id), () => reply(5000, 5000))

    await (await poller(fixture))()

    const [, rest] = await charges(fixture)
    const uncovered = halfPrice(5000, 5000) - Number(estimate?.quota) - left
    expect(rest?.quota).toBe(left)
    expect(otherOf(rest as Log)).toMatchObject({ incomplete: true, uncovered })
    expect(await fixture.balance()).toBe(0)
    const [row] = await fixture.toolkit.db.reader('batches').select('final_quota')
    expect(Number(row.final_quota)).toBe(Number(estimate?.quota) + left)
    await expectExactTotals(fixture)
    await expectNothingHeld(fixture)
  })

  test('that used more than the budget of its key covers pays what is there', async () => {
    const budget = 1_000_000
    const fixture = await openBatches(await open(), { token: { unlimited_quota: false, remain_quota: budget } })
    const { body } = await fixture.create(await fixture.upload(inputOf(request('a'))))
    fixture.upstream.end(String(body.id), () => reply(500_000, 500_000))

    await (await poller(fixture))()

    const token = await fixture.toolkit.db.reader('tokens').where({ id: fixture.bought.id }).first()
    expect(Number(token.remain_quota)).toBe(0)
    expect(Number(token.used_quota)).toBe(budget)
    await expectExactTotals(fixture)
  })

  test('that used more than the estimate of an empty balance states all of the rest', async () => {
    const fixture = await openBatches(await open())
    const { body } = await fixture.create(await fixture.upload(inputOf(request('a'))))
    const [estimate] = await charges(fixture)
    await setBalance(fixture, 0)
    fixture.upstream.end(String(body.id), () => reply(5000, 5000))

    await (await poller(fixture))()

    const [, rest] = await charges(fixture)
    expect(rest?.quota).toBe(0)
    expect(otherOf(rest as Log).uncovered).toBe(halfPrice(5000, 5000) - Number(estimate?.quota))
    await expectExactTotals(fixture)
  })

  test('whose channel is deleted is refunded, with the reason', async () => {
    const fixture = await openBatches(await open())
    const before = await fixture.balance()
    const { body } = await fixture.create(await fixture.upload(inputOf(request('a'))))
    await fixture.toolkit.channels.delete(fixture.root, fixture.servedBy.id)
    await fixture.toolkit.events.catchUp()

    const { body: shown } = await fixture.call('GET', `/v1/batches/${body.id}`)

    expect(shown).toMatchObject({ status: 'failed', errors: { data: [{ code: 'channel_deleted' }] } })
    expect(await fixture.balance()).toBe(before)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true, differences: [] })
  })

  test('without results is refunded a day after its end', async () => {
    const fixture = await openBatches(await open())
    const before = await fixture.balance()
    const { body } = await fixture.create(await fixture.upload(inputOf(request('a'))))
    fixture.upstream.batches.delete(String(body.id))
    const now = Date.now() / 1000
    const clock = { now: now + 47 * 3600 }
    const poll = await poller(fixture, clock)

    await poll()
    expect(await fixture.balance()).toBeLessThan(before)
    clock.now = now + 49 * 3600
    await poll()

    expect(await fixture.balance()).toBe(before)
    expect(await fixture.call('GET', `/v1/batches/${body.id}`)).toMatchObject({ body: { status: 'failed' } })
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true, differences: [] })
  })

  test('is settled before its output can be deleted', async () => {
    const fixture = await openBatches(await open())
    const before = await fixture.balance()
    const { body } = await fixture.create(await fixture.upload(inputOf(request('a'))))
    fixture.upstream.end(String(body.id), () => reply(5, 2))
    const { body: ended } = await fixture.call('GET', `/v1/batches/${body.id}`)

    const deleted = await fixture.call('DELETE', `/v1/files/${ended.output_file_id}`)

    expect(deleted).toMatchObject({ status: 200, body: { deleted: true } })
    expect(await fixture.balance()).toBe(before - halfPrice(5, 2))
    expect(fixture.upstream.files.has(String(ended.output_file_id))).toBe(false)
  })

  test('with a refund unlike its rows is found by the ledger check', async () => {
    const fixture = await openBatches(await open())
    const { body } = await fixture.create(await fixture.upload(inputOf(request('a'))))
    fixture.upstream.end(String(body.id), () => reply(5, 2))
    await (await poller(fixture))()
    const { db, ledger } = fixture.toolkit
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

  test('without its refund gets it from a repair of the ledger', async () => {
    const fixture = await openBatches(await open())
    const { body } = await fixture.create(await fixture.upload(inputOf(request('a'))))
    fixture.upstream.end(String(body.id), () => reply(5, 2))
    await (await poller(fixture))()
    const { db, ledger } = fixture.toolkit
    const { id: _, ...ended } = await db.reader('batches').first()
    const refund = Number(ended.quota) - Number(ended.final_quota)
    const before = await fixture.balance()
    await db.transaction((trx) => trx('batches').insert({ ...ended, batch_id: 'other', request_id: 'other' }))

    const repairs = await ledger.repair(fixture.root)
    expect(repairs).toMatchObject([{ table: 'batches', what: 'refund of an ended batch', expected: refund }])
    expect(await fixture.balance()).toBe(before + refund)
    expect(await ledger.verify()).toMatchObject({ equal: true })
  })

  test('that is free is stored, and settled without money', async () => {
    const fixture = await openBatches(await open())
    await fixture.toolkit.options.set(fixture.root, 'BatchPriceRatio', '0')
    const before = await fixture.balance()
    const { status, body } = await fixture.create(await fixture.upload(inputOf(request('a'))))
    expect(status).toBe(200)
    fixture.upstream.end(String(body.id), () => reply(5, 2))

    expect(await (await poller(fixture))()).toBe('1 polled, 1 settled')

    expect(await fixture.balance()).toBe(before)
    expect(await charges(fixture)).toEqual([])
    const [row] = await fixture.toolkit.db.reader('batches').select()
    expect(row).toMatchObject({ prompt_tokens: 5, completion_tokens: 2, final_quota: 0, outcome: 'results' })
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true, differences: [] })
  })

  test('of a key with a budget is charged to the budget, and refunds the rest', async () => {
    const budget = 1_000_000
    const fixture = await openBatches(await open(), { token: { unlimited_quota: false, remain_quota: budget } })
    const { body } = await fixture.create(await fixture.upload(inputOf(request('a'))))
    fixture.upstream.end(String(body.id), () => reply(5, 2))
    await (await poller(fixture))()

    const token = await fixture.toolkit.db.reader('tokens').where({ id: fixture.bought.id }).first()

    expect(Number(token.remain_quota)).toBe(budget - halfPrice(5, 2))
    expect(Number(token.used_quota)).toBe(halfPrice(5, 2))
    const channel = await fixture.toolkit.db.reader('channels').where({ id: fixture.servedBy.id }).first()
    expect(Number(channel.used_quota)).toBe(halfPrice(5, 2))
  })

  test('is created once under one idempotency key', async () => {
    const fixture = await openBatches(await open())
    const fileId = await fixture.upload(inputOf(request('a')))
    const headers = { 'idempotency-key': 'once' }

    const first = await fixture.create(fileId, { headers })
    const second = await fixture.create(fileId, { headers })

    expect(second).toEqual(first)
    expect(fixture.upstream.batches.size).toBe(1)
    expect(await charges(fixture)).toHaveLength(1)
  })

  test('with an insufficient balance is rejected, and names the required amount', async () => {
    const fixture = await openBatches(await open(), { user: { quota: 100 } })
    const fileId = await fixture.upload(inputOf(request('a', { max_tokens: 1000 })))

    const { status, body } = await fixture.create(fileId)

    expect({ status, code: (body.error as { code?: string }).code }).toEqual({
      status: 403,
      code: 'insufficient_user_quota',
    })
    expect((body.error as { message: string }).message).toMatch(/\d/)
    expect(fixture.upstream.batches.size).toBe(0)
    expect(await fixture.balance()).toBe(100)
    await expectNothingHeld(fixture)
  })

  test('can reference no file or batch of another user', async () => {
    const fixture = await openBatches(await open())
    const fileId = await fixture.upload(inputOf(request('a')))
    const { body: batch } = await fixture.create(fileId)
    const { key } = await customer(fixture, { user: { quota: 1e8 } })

    const answers = [
      await fixture.create(fileId, { key }),
      ...(await Promise.all(
        [
          ['GET', `/v1/files/${fileId}`],
          ['GET', `/v1/files/${fileId}/content`],
          ['DELETE', `/v1/files/${fileId}`],
          ['GET', `/v1/batches/${batch.id}`],
          ['POST', `/v1/batches/${batch.id}/cancel`],
        ].map(([method, path]) => fixture.call(method as string, path as string, { key })),
      )),
    ]

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
    expect(await fixture.call('GET', '/v1/files', { key })).toMatchObject({ body: { data: [] } })
    expect(await fixture.call('GET', '/v1/batches', { key })).toMatchObject({ body: { data: [] } })
    expect(fixture.upstream.files.has(fileId)).toBe(true)
  })
})
