import { expect, test } from 'vitest'
import { charges, expectNothingHeld } from '../../../support/books.ts'
import { keyOf, MODEL } from '../../../support/gateway.ts'
import { sendJson, usage } from '../../../support/hand-made-upstream.ts'
import { onBoth } from '../../../support/toolkit.ts'
import { halfPrice, inputOf, openBatches, poller, request } from './fixture.ts'

const reply = (prompt: number, completion: number) => ({
  status: 200,
  body: { object: 'chat.completion', choices: [], usage: usage(prompt, completion) },
})

onBoth('a batch', (open) => {
  test('of a team member is not accessible to other members', async () => {
    const fixture = await openBatches(await open())
    const { toolkit, person } = fixture
    const team = await toolkit.teams.create(person, { name: 'Team' })
    await toolkit.teams.transfer(person, team.id, 10_000_000)
    let keys = 0
    const keyFor = async (who: typeof person) =>
      keyOf(await toolkit.teams.keys.create(who, team.id, { name: `key ${++keys}`, unlimited_quota: true }))
    const member = await fixture.user()
    const { code = '' } = await toolkit.teams.invite(person, team.id)
    await toolkit.teams.join(member, code)
    const [own, again, other] = [await keyFor(person), await keyFor(person), await keyFor(member)]

    const fileId = await fixture.upload(inputOf(request('a')), { key: own })
    const { body: batch } = await fixture.create(fileId, { key: own })
    fixture.upstream.end(String(batch.id), () => reply(5, 2))
    await (await poller(fixture))()
    const { output_file_id: outputId } = (await fixture.call('GET', `/v1/batches/${batch.id}`, { key: again })).body

    for (const path of [`files/${fileId}`, `files/${outputId}/content`, `batches/${batch.id}`]) {
      expect(await fixture.call('GET', `/v1/${path}`, { key: again })).toMatchObject({ status: 200 })
      expect(await fixture.call('GET', `/v1/${path}`, { key: other })).toMatchObject({ status: 404 })
    }
    expect((await fixture.call('GET', '/v1/files', { key: again })).body.data).toHaveLength(2)
    for (const path of ['files', 'batches']) {
      expect(await fixture.call('GET', `/v1/${path}`, { key: other })).toMatchObject({ body: { data: [] } })
    }
    expect(await fixture.create(fileId, { key: other })).toMatchObject({ status: 404 })
    expect(await fixture.call('DELETE', `/v1/files/${fileId}`, { key: other })).toMatchObject({ status: 404 })
  })

  test('with an impossible id is not found', async () => {
    const fixture = await openBatches(await open())
    await fixture.upload(inputOf(request('a')))

    for (const path of ['files/a%00b', 'batches/a%00b', 'messages/batches/a%00b', `files/${'x'.repeat(300)}`]) {
      expect(await fixture.call('GET', `/v1/${path}`)).toMatchObject({ status: 404 })
    }
    expect(await fixture.create('a\0b')).toMatchObject({ status: 404 })
    for (const query of ['after=%00', 'after=a&after=b', 'purpose=batch&purpose=vision']) {
      expect((await fixture.call('GET', `/v1/files?${query}`)).body.data).toHaveLength(1)
      expect(await fixture.call('GET', `/v1/batches?${query}`)).toMatchObject({ status: 200 })
      expect(await fixture.call('GET', `/v1/messages/batches?${query.replaceAll('after', 'after_id')}`)).toMatchObject({
        status: 200,
      })
    }
    expect(await fixture.call('GET', '/v1/files?purpose=%00')).toMatchObject({ body: { data: [] } })
  })

  test('refunded due to missing results is not charged by late results', async () => {
    const fixture = await openBatches(await open())
    const before = await fixture.balance()
    const { body } = await fixture.create(await fixture.upload(inputOf(request('a'))))
    fixture.upstream.end(String(body.id), () => reply(5, 2))
    const { body: ended } = await fixture.call('GET', `/v1/batches/${body.id}`)
    fixture.upstream.script.push({ path: /content$/, answer: (exchange) => sendJson(exchange, {}, 500) })
    await (await poller(fixture, { now: Date.now() / 1000 + 49 * 3600 }))()
    expect(await fixture.balance()).toBe(before)

    const refused = { status: 409, body: { error: { code: 'batch_refunded' } } }
    expect(await fixture.call('GET', `/v1/files/${ended.output_file_id}/content`)).toMatchObject(refused)
    expect(await fixture.call('POST', `/v1/batches/${body.id}/cancel`)).toMatchObject(refused)
    expect(await fixture.call('GET', `/v1/batches/${body.id}`)).toMatchObject({ body: { status: 'failed' } })
  })

  test('is listed and polled without its prices, which may be large', async () => {
    const fixture = await openBatches(await open())
    const { body } = await fixture.create(await fixture.upload(inputOf(request('a'))))
    const { batches, db } = fixture.toolkit
    await db.transaction((trx) => trx('batches').update({ poll_at: 7 }))

    const [due] = await batches.due(10)
    expect(due).toEqual({ id: expect.any(Number), createdAt: expect.any(Number), pollAt: 7 })
    const owner = { userId: fixture.person.id, memberId: 0 }
    const { items } = await batches.list(owner, 'openai', { limit: 10 })
    expect(items).toEqual([{ id: due?.id, batchId: body.id, body: JSON.stringify(body) }])
  })

  test('with the id of another batch is not charged, and the other continues', async () => {
    const fixture = await openBatches(await open())
    const fileId = await fixture.upload(inputOf(request('a')))
    const { body: first } = await fixture.create(fileId)
    fixture.upstream.script.push({
      path: /^\/v1\/batches$/,
      answer: (exchange) => sendJson(exchange, fixture.upstream.batches.get(String(first.id))),
    })

    expect(await fixture.create(fileId)).toMatchObject({ status: 500 })

    expect(fixture.upstream.batches.get(String(first.id))?.status).toBe('validating')
    expect(await charges(fixture)).toHaveLength(1)
    await expectNothingHeld(fixture)
  })

  test('of requests with different efforts costs each at its own price', async () => {
    const fixture = await openBatches(await open())
    await fixture.toolkit.options.set(fixture.root, 'PriceConditions', JSON.stringify({ [`effort=high:${MODEL}`]: 3 }))
    const before = await fixture.balance()
    const efforts = ['high', 'low', 'high', undefined]
    const rows = efforts.map((reasoning_effort, at) => request(`${at}`, { reasoning_effort }))
    const { body } = await fixture.create(await fixture.upload(inputOf(...rows)))
    fixture.upstream.end(String(body.id), () => reply(10, 10))

    await (await poller(fixture))()

    // What the model writes costs three times as much.
    expect(await fixture.balance()).toBe(before - 2 * halfPrice(10, 30) - 2 * halfPrice(10, 10))
  })
})
